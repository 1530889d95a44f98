import * as z from 'zod/mini';
import { type Condition, readConditions } from './condition.ts';
import { checkStatement, malformed, type PolicyKind } from './policy-rules.ts';

const oneOrMany = z.union([z.string(), z.array(z.string())]);
const conditionValue = z.union([z.string(), z.number(), z.boolean()]);

/** Strict: an element that the simulation does not evaluate must not be ignored. */
const statementSchema = z.strictObject({
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

const documentSchema = z.strictObject({
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
  /** Undefined in a trust policy, which is about the role that has it. */
  readonly resources: PatternSet | undefined;
  readonly conditions: readonly Condition[];
  /** Whether `${...}` is a variable: since the version 2012-10-17. */
  readonly hasVariables: boolean;
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

/**
 * Reads a policy document (an object, or its JSON) with its intrinsics already resolved. Throws MalformedPolicyDocument
 * for what IAM would refuse, and for elements and condition operators that this sandbox does not evaluate: a policy that is not
 * understood must not decide.
 */
export function readPolicy(document: unknown, kind: PolicyKind): PolicyDocument {
  const parsed = documentSchema.safeParse(typeof document === 'string' ? parseJson(document) : document);
  if (!parsed.success) throw malformed(`Syntax errors in policy: ${z.prettifyError(parsed.error)}`);
  const hasVariables = parsed.data.Version === '2012-10-17';
  return [parsed.data.Statement].flat().map((statement) => {
    checkStatement(statement, kind);
    return readStatement(statement, hasVariables);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`The policy is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

function readStatement(statement: z.infer<typeof statementSchema>, hasVariables: boolean): Statement {
  const { Action, NotAction, Resource, NotResource, Principal } = statement;
  const hasResources = Resource !== undefined || NotResource !== undefined;
  return {
    sid: statement.Sid,
    effect: statement.Effect,
    principals: Principal === undefined ? undefined : principalsOf(Principal),
    actions: patternSet(Action, NotAction),
    resources: hasResources ? patternSet(Resource, NotResource) : undefined,
    conditions: readConditions(statement.Condition ?? {}),
    hasVariables,
  };
}

const principalsOf = (
  principal: '*' | Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  principal === '*'
    ? { AWS: ['*'] }
    : Object.fromEntries(Object.entries(principal).map(([kind, names]) => [kind, list(names)]));
