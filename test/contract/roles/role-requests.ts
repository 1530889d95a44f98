import type { RoleWiring } from '@drover/cloud-sandbox';
import { policy } from '@drover/cloud-sandbox/test/contract/iam/support.ts';
import { type Request, resourceOf } from './near-requests.ts';

export type Statement = Readonly<Record<string, unknown>>;

interface Document {
  readonly Statement: readonly Statement[];
}

/** Something that a role may do, the statement that says so, and all of the role's policies. */
export interface Granted {
  readonly statement: Statement;
  readonly policies: readonly Document[];
  readonly request: Request;
}

export const grantedBy = (role: RoleWiring): readonly Granted[] => {
  const policies = policiesOf(role);
  return policies
    .flatMap(({ Statement }) => Statement)
    .flatMap((statement) => requestsOf(statement).map((request) => ({ statement, policies, request })));
};

/** As packaged there is no hosted zone; a deployment that looks after etcd names one. */
export const policiesOf = ({ policies }: RoleWiring): readonly Document[] =>
  policies.map(({ document }) =>
    JSON.parse(JSON.stringify(document).replaceAll(':hostedzone/"', ':hostedzone/Z0123456789ABCDEFGHIJ"')),
  );

const texts = (value: unknown): readonly string[] => [value].flat().map(String);

/** Each action on each resource, with each value that the conditions ask for. */
function requestsOf({ Action, Resource, Condition = {} }: Statement): readonly Request[] {
  const contexts = contextsOf(Condition as Conditions);
  return texts(Action).flatMap((action) =>
    texts(Resource).flatMap((resource) =>
      contexts.map((context) => ({ action, resource: resourceOf(resource), context })),
    ),
  );
}

type Conditions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** `Null` only asks that the key is there: another condition on it has its values. */
const contextsOf = (conditions: Conditions): readonly Readonly<Record<string, string>>[] =>
  Object.entries(conditions)
    .flatMap(([operator, keys]) => (operator === 'Null' ? [] : Object.entries(keys)))
    .reduce<readonly Readonly<Record<string, string>>[]>(
      (known, [key, values]) =>
        known.flatMap((one) => texts(values).map((value) => ({ ...one, [key]: value }))),
      [{}],
    );

/** The statement turned round: what it names is left out, or denied, or all but it is. */
export function turnedRound({ Action, Resource, ...statement }: Statement): readonly (readonly unknown[])[] {
  const everything = { Effect: 'Allow', Action: '*', Resource: '*' };
  return [
    [policy({ ...statement, NotAction: Action, Resource })],
    [policy({ ...statement, Action, NotResource: Resource })],
    [policy(everything, { ...statement, Action, Resource, Effect: 'Deny' })],
    [policy(everything, { ...statement, NotAction: Action, Resource, Effect: 'Deny' })],
  ];
}
