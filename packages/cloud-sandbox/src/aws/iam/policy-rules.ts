import { AwsError } from '../service.ts';

/** The kind of a policy: of a principal, of a resource, or the trust policy of a role. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

type OneOrMany = string | readonly string[];

interface StatementElements {
  readonly Principal?: unknown;
  readonly Action?: OneOrMany | undefined;
  readonly NotAction?: OneOrMany | undefined;
  readonly Resource?: OneOrMany | undefined;
  readonly NotResource?: OneOrMany | undefined;
}

export const malformed = (message: string): AwsError =>
  new AwsError({ code: 'MalformedPolicyDocument', message });

/** What IAM asks of a statement beyond its syntax. Throws MalformedPolicyDocument. */
export function checkStatement(statement: StatementElements, kind: PolicyKind): void {
  for (const [isBroken, message] of rules) if (isBroken(statement, kind)) throw malformed(message(statement));
}

type Rule = readonly [
  isBroken: (statement: StatementElements, kind: PolicyKind) => boolean,
  message: (statement: StatementElements) => string,
];

const said = (message: string) => (): string => message;
const actionsOf = ({ Action, NotAction }: StatementElements) => [Action ?? NotAction ?? []].flat();
const resourcesOf = ({ Resource, NotResource }: StatementElements) => [Resource ?? NotResource ?? []].flat();
const hasResource = ({ Resource, NotResource }: StatementElements): boolean =>
  Resource !== undefined || NotResource !== undefined;
const isResource = (resource: string): boolean => resource === '*' || /^arn:./.test(resource);

const rules: readonly Rule[] = [
  [
    ({ Action, NotAction }) => (Action === undefined) === (NotAction === undefined),
    said('A statement must have either Action or NotAction.'),
  ],
  [
    ({ Resource, NotResource }) => Resource !== undefined && NotResource !== undefined,
    said('A statement must have either Resource or NotResource.'),
  ],
  [
    ({ Principal }, kind) => kind === 'identity' && Principal !== undefined,
    said('Policy document should not specify a principal.'),
  ],
  [
    ({ Principal }, kind) => kind !== 'identity' && Principal === undefined,
    said('Missing required field Principal'),
  ],
  [
    (statement, kind) => kind !== 'trust' && !hasResource(statement),
    said('Policy statement must contain resources.'),
  ],
  [(statement, kind) => kind === 'trust' && hasResource(statement), said('Has prohibited field Resource')],
  [
    (statement) => !actionsOf(statement).every((action) => action === '*' || /^[\w-]+:[^:]+$/.test(action)),
    said('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.'),
  ],
  [
    (statement) => !resourcesOf(statement).every(isResource),
    (statement) =>
      `Resource ${resourcesOf(statement).find((resource) => !isResource(resource))} must be in ARN format or "*".`,
  ],
];
