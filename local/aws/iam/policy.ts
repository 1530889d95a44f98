import * as z from 'zod/mini';
import { AwsError } from '../service.ts';
import { type Condition, readConditions } from './condition.ts';

const oneOrMany = z.union([z.string(), z.array(z.string())]);
const conditionValue = z.union([z.string(), z.number(), z.boolean()]);

const statementSchema = z.object({
  Sid: z.optional(z.string()),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.optional(z.union([z.literal('*'), z.record(z.string(), oneOrMany)])),
  Action: z.optional(oneOrMany),
  NotAction: z.optional(oneOrMany),
  Resource: z.optional(oneOrMany),
  NotResource: z.optional(oneOrMany),
  Condition: z.optional(
    z.record(z.string(), z.record(z.string(), z.union([conditionValue, z.array(conditionValue)]))),
  ),
});

const documentSchema = z.object({
  Version: z.optional(z.enum(['2012-10-17', '2008-10-17'])),
  Id: z.optional(z.string()),
  Statement: z.union([statementSchema, z.array(statementSchema)]),
});

/** A list of patterns, or everything but them. */
export interface PatternSet {
  readonly patterns: readonly string[];
  readonly negated: boolean;
}

export interface Statement {
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
  /** By kind (`AWS`, `Service`); undefined in identity policies. */
  readonly principals: Readonly<Record<string, readonly string[]>> | undefined;
  readonly actions: PatternSet;
  /** Undefined in a trust policy, which speaks of the role that it stands on. */
  readonly resources: PatternSet | undefined;
  readonly conditions: readonly Condition[];
}

export type PolicyDocument = readonly Statement[];

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

const patternSet = (
  named: string | readonly string[] | undefined,
  excepted: string | readonly string[] | undefined,
): PatternSet =>
  named === undefined
    ? { patterns: list(excepted), negated: true }
    : { patterns: list(named), negated: false };

const malformed = (message: string): AwsError => new AwsError({ code: 'MalformedPolicyDocument', message });

/**
 * Reads a policy document (an object, or its JSON) with its intrinsics already resolved. Throws MalformedPolicyDocument
 * for what IAM would refuse, and for condition operators that this sandbox does not evaluate: a policy that is not
 * understood must not decide.
 */
export function readPolicy(document: unknown): PolicyDocument {
  const parsed = documentSchema.safeParse(typeof document === 'string' ? parseJson(document) : document);
  if (!parsed.success) throw malformed(`Syntax errors in policy: ${z.prettifyError(parsed.error)}`);
  return [parsed.data.Statement].flat().map(readStatement);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`The policy is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

function readStatement(statement: z.infer<typeof statementSchema>): Statement {
  const { Action, NotAction, Resource, NotResource, Principal } = statement;
  if ((Action === undefined) === (NotAction === undefined)) {
    throw malformed('A statement must have either Action or NotAction.');
  }
  const hasResources = Resource !== undefined || NotResource !== undefined;
  return {
    sid: statement.Sid,
    effect: statement.Effect,
    principals: Principal === undefined ? undefined : principalsOf(Principal),
    actions: patternSet(Action, NotAction),
    resources: hasResources ? patternSet(Resource, NotResource) : undefined,
    conditions: readConditions(statement.Condition ?? {}),
  };
}

const principalsOf = (
  principal: '*' | Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  principal === '*'
    ? { AWS: ['*'] }
    : Object.fromEntries(Object.entries(principal).map(([kind, names]) => [kind, list(names)]));
