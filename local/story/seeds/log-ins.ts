import { logIn, webhookSecretOf } from '../log-in.ts';
import type { Step } from './step.ts';

/** The role of people gets into the cluster by aws-auth, through the token webhook. */
export function letIn(words: Pick<Step, 'author' | 'drover'>, version: 'v1' | 'v1beta1' = 'v1'): Step {
  return {
    ...words,
    hand: {
      types: () => 'kubectl --namespace kube-system edit configmap aws-auth',
      does: ({ mapRole }) => mapRole(true),
    },
    see: async ({ cloud, seconds }) => {
      const user = await logIn(cloud, webhookSecretOf(cloud), version);
      return user === undefined
        ? undefined
        : `the session ann of the role dev is ${user} in the cluster after ${seconds} s`;
    },
    withinSeconds: 180,
  };
}

/** The entry is taken out again, and the role with its token stays. */
export function shutOut(words: Pick<Step, 'author' | 'drover'>): Step {
  return {
    ...words,
    hand: {
      types: () => 'kubectl --namespace kube-system delete configmap aws-auth',
      does: ({ mapRole }) => mapRole(false),
    },
    see: async ({ cloud, seconds }) =>
      (await logIn(cloud, webhookSecretOf(cloud))) === undefined
        ? `the same role is not let in any more after ${seconds} s`
        : undefined,
    withinSeconds: 180,
  };
}

/** The role of workers in the mapping: a user with the name of the node, for an instance that runs. */
export const mapWorkers = (words: Pick<Step, 'author' | 'drover'>): Step => ({
  ...words,
  command: () =>
    'token map arn:aws:sts::123456789012:assumed-role/workers/i-0123456789abcdef0 --config local/story/seeds/aws-auth.yaml',
  see: ({ printed }) =>
    printed.startsWith('system:node:{{EC2PrivateDNSName}} in system:bootstrappers, system:nodes') &&
    printed.includes('if instance i-0123456789abcdef0 runs with that role')
      ? 'the workers are system:node:{{EC2PrivateDNSName}} in system:bootstrappers and system:nodes, if the instance runs with that role'
      : undefined,
  withinSeconds: 5,
});
