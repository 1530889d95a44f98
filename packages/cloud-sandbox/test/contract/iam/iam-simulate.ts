import { join } from 'node:path';
import { startOracle } from '../../../real/oracle.ts';
import { nodeTools } from '../../../real/programs.ts';
import type { Decision } from '../../../src/aws/iam/evaluate.ts';
import { accountId, type IamQuestion, type IamWorld, sessionArn } from './support.ts';

export const iamSimulateName = 'iam-simulate 0.1.173';

export interface Simulated {
  readonly decision: Decision | 'refused';
  /** Keys of the context that AWS's Service Authorization Reference does not know for the action and its resource. */
  readonly ignored: readonly string[];
  /** Why it refused: an invalid policy, an unknown action, or a resource that the action does not accept. */
  readonly why: string | undefined;
}

/** What others wrote of IAM, in a process of its own. */
export interface IamSimulate extends IamWorld {
  simulate(question: IamQuestion & { readonly principalArn?: string }): Promise<Simulated>;
  stop(): Promise<void>;
}

interface Answer {
  readonly resultType: 'single' | 'wildcard' | 'error';
  readonly overallResult?: keyof typeof decisions;
  readonly errors?: { readonly message: string };
  readonly ignored: readonly string[];
}

const decisions = {
  Allowed: 'allowed',
  ExplicitlyDenied: 'explicit-deny',
  ImplicitlyDenied: 'implicit-deny',
} as const satisfies Readonly<Record<string, Decision>>;

export function startIamSimulate(): IamSimulate {
  const script = join(import.meta.dirname, '../../../real/node-tools/simulate-iam.mjs');
  const oracle = startOracle(process.execPath, [script, nodeTools.directory]);
  const simulate: IamSimulate['simulate'] = async (question) => {
    const asked = asItKnowsKeys(simulationOf(question));
    const { resultType, overallResult, errors, ignored } = (await oracle.ask(asked)) as Answer;
    if (overallResult === undefined) return { decision: 'refused', ignored, why: JSON.stringify(errors) };
    // For several resources at once, it reports whether the policy may match any of them.
    if (resultType === 'wildcard') return { decision: 'refused', ignored, why: 'several resources' };
    return { decision: decisions[overallResult], ignored, why: undefined };
  };
  return {
    simulate,
    decide: async (question) => {
      const { decision, ignored, why } = await simulate(question);
      if (ignored.length > 0) throw new Error(`no keys of ${question.action}: ${ignored.join(', ')}`);
      if (decision === 'refused' && !why?.includes('policy.errors')) throw new Error(why);
      return decision;
    },
    stop: () => oracle.stop(),
  };
}

/**
 * The Service Authorization Reference has `kms:EncryptionContext:${EncryptionContextKey}`. iam-simulate finds keys that end in a
 * name after a slash, and not those that do after a colon: of these it is asked by the name of the pattern.
 */
const asItKnowsKeys = (simulation: unknown): unknown =>
  JSON.parse(
    JSON.stringify(simulation).replaceAll(
      '"kms:EncryptionContext:PARAMETER_ARN"',
      '"kms:EncryptionContext:${EncryptionContextKey}"',
    ),
  );

/** That of a key: it leaves the key to the account's own policies, which say nothing without it. */
const keyPolicy = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${accountId}:root` }, Action: 'kms:*', Resource: '*' },
  ],
};

const simulationOf = ({
  action,
  resource,
  context = {},
  policies,
  resourcePolicy,
  principalArn = sessionArn,
}: IamQuestion & { readonly principalArn?: string }) => ({
  request: { principal: principalArn, action, resource: { resource, accountId }, contextVariables: context },
  identityPolicies: policies.map((policy, index) => ({ name: `policy ${index}`, policy })),
  serviceControlPolicies: [],
  resourceControlPolicies: [],
  resourcePolicy: resourcePolicy ?? (action.startsWith('kms:') ? keyPolicy : undefined),
});
