import { expect } from 'vitest';
import type { PolicyContext } from '../../../src/aws/iam/context.ts';
import type { Decision } from '../../../src/aws/iam/evaluate.ts';

export const accountId = '123456789012';
export const roleArn = `arn:aws:iam::${accountId}:role/drover`;
export const sessionArn = `arn:aws:sts::${accountId}:assumed-role/drover/session`;

export interface IamQuestion {
  readonly action: string;
  readonly resource: string;
  readonly context?: PolicyContext;
  /** Documents on the role of the session that asks. */
  readonly policies: readonly unknown[];
  /** The policy of the resource. */
  readonly resourcePolicy?: unknown;
}

/** An implementation of IAM's policy evaluation. */
export interface IamWorld {
  /** `refused` if a policy is invalid. */
  readonly decide: (question: IamQuestion) => Promise<Decision | 'refused'>;
}

export const objectArn = 'arn:aws:s3:::bucket/key';
export const queueArn = `arn:aws:sqs:eu-west-1:${accountId}:work`;

const version = '2012-10-17';
export const policy = (...statements: readonly object[]) => ({ Version: version, Statement: statements });
export const allow = (more: object = {}) => ({
  Effect: 'Allow',
  Action: 's3:GetObject',
  Resource: '*',
  ...more,
});
export const deny = (more: object = {}) => ({ ...allow(more), Effect: 'Deny' });

type Asked = Partial<Omit<IamQuestion, 'policies'>>;

/** The decision of an identity policy with these statements about a call, by default GetObject on an object. */
export const decides =
  (statements: readonly object[], expected: Decision | 'refused', asked: Asked = {}) =>
  async ({ decide }: IamWorld): Promise<void> => {
    const question = { action: 's3:GetObject', resource: objectArn, ...asked };
    expect([statements, await decide({ ...question, policies: [policy(...statements)] })]).toEqual([
      statements,
      expected,
    ]);
  };

/** One after the other. */
export const all =
  <World>(...cases: readonly ((world: World) => Promise<void>)[]) =>
  async (world: World): Promise<void> => {
    for (const one of cases) await one(world);
  };

export const refused = (...statements: readonly object[]) =>
  all(...statements.map((statement) => decides([statement], 'refused')));

/** A statement with one condition holds for a request with this context. */
export const holds = (operator: string, [key, value]: readonly [string, unknown], context: PolicyContext) =>
  decides([allow({ Condition: { [operator]: { [key]: value } } })], 'allowed', { context });

export const fails = (operator: string, [key, value]: readonly [string, unknown], context: PolicyContext) =>
  decides([allow({ Condition: { [operator]: { [key]: value } } })], 'implicit-deny', { context });
