import { describe, expect, it, test } from 'vitest';
import {
  asksForRestart,
  isRestarted,
  judgeRollout,
  restartAnnotation,
  restartPatch,
  rolloutSeconds,
} from '../../../shared/draining/rollout-restart.ts';
import { controller, pod } from '../../support/pods.ts';
import { type DeploymentParts, deploymentOf } from '../../support/rollouts.ts';

const asking = { annotations: { [restartAnnotation]: 'true' } };

describe('a pod asks for a rollout before its eviction', () => {
  it('if its annotation is true and a ReplicaSet controls it', () => {
    expect(asksForRestart(pod(asking))).toBe(true);
  });

  it.each([
    ['without the annotation', {}],
    ['with another value', { annotations: { [restartAnnotation]: 'yes' } }],
    ['of a StatefulSet, which has no surge', { ...asking, owner: controller('StatefulSet', 'db') }],
    ['without a controller', { ...asking, owner: null }],
    ['that does not serve', { ...asking, ready: false }],
    ['that has finished', { ...asking, phase: 'Succeeded' }],
    ['that ends already', { ...asking, terminatesAt: 1 }],
  ])('and not %s', (_, parts) => {
    expect(asksForRestart(pod(parts))).toBe(false);
  });

  it('in vain if another pod of its ReplicaSet runs on another node', () => {
    const one = pod(asking);
    const elsewhere = pod({ ...asking, name: 'web-2', spec: { nodeName: 'node-2' } });
    expect(isRestarted(one, [one, pod({ ...asking, name: 'web-3' })])).toBe(true);
    expect(isRestarted(one, [one, elsewhere])).toBe(false);
    expect(isRestarted(one, [one, { ...elsewhere, status: { phase: 'Failed' } }])).toBe(true);
  });
});

const withStrategy = (
  maxSurge: number | string,
  maxUnavailable: number | string,
  replicas = 1,
): DeploymentParts => ({
  spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
  status: { observedGeneration: 3, replicas, updatedReplicas: replicas, availableReplicas: replicas },
});

/** One pod of the new revision is not available yet. */
const underWay = { observedGeneration: 3, replicas: 2, updatedReplicas: 1, availableReplicas: 1 };

// Each case is a public report of a workload of one pod that a drain took down, or of a tool that restarts rollouts.
test.each<[string, DeploymentParts, number, object]>([
  // https://github.com/kubernetes/kubernetes/issues/48307
  ['kubernetes#48307: one pod under the default strategy is replaced first', {}, 1, { kind: 'restart' }],
  // https://github.com/kubernetes/kubernetes/issues/90977
  ['kubernetes#90977: and so is one with a surge of a whole pod', withStrategy(1, 0), 1, { kind: 'restart' }],
  // https://github.com/kubernetes/kubernetes/issues/66811
  [
    'kubernetes#66811: only if the strategy allows a pod more',
    withStrategy(0, 1),
    1,
    { kind: 'evict', why: 'its maxSurge is 0' },
  ],
  // https://github.com/argoproj/argo-rollouts/issues/1583
  [
    'argo-rollouts#1583: a restart that ends the only pod at once is no better than an eviction',
    withStrategy(1, 1),
    1,
    { kind: 'evict', why: expect.stringContaining('maxUnavailable') },
  ],
  // https://github.com/kubernetes-sigs/karpenter/pull/1685
  [
    'karpenter#1685: two pods that are both on the node are a singleton as well',
    withStrategy('50%', '25%', 2),
    2,
    { kind: 'restart' },
  ],
  // https://github.com/kubernetes-sigs/descheduler/issues/786
  [
    'descheduler#786: a pod whose workload serves elsewhere is evicted',
    withStrategy('25%', '25%', 2),
    1,
    { kind: 'evict', why: '1 of its 2 pods are on other nodes' },
  ],
  // https://github.com/kubernetes-sigs/karpenter/pull/3013
  [
    'karpenter#3013: a rollout that is under way is waited for, and not restarted',
    { status: underWay },
    1,
    { kind: 'wait' },
  ],
  // https://github.com/kubernetes-sigs/descheduler/pull/1841
  [
    'descheduler#1841: a restart that the controller has not seen yet is not repeated',
    { metadata: { generation: 4 } },
    1,
    { kind: 'wait' },
  ],
  // https://github.com/kubernetes-sigs/karpenter/issues/1599
  [
    'karpenter#1599: a rollout that makes no progress holds no node',
    {
      status: {
        ...underWay,
        conditions: [
          {
            type: 'Progressing',
            status: 'False',
            reason: 'ProgressDeadlineExceeded',
            message: 'ReplicaSet "web" has timed out progressing.',
          },
        ],
      },
    },
    1,
    {
      kind: 'evict',
      why: 'its rollout does not progress: ReplicaSet "web" has timed out progressing.',
    },
  ],
  // https://github.com/aws/karpenter-provider-aws/issues/500
  [
    'karpenter-provider-aws#500: a workload that does not ask for it is evicted',
    { templateAnnotations: {} },
    1,
    { kind: 'evict', why: 'its pod template does not ask for it any more' },
  ],
  [
    'a paused rollout would not move the pod',
    { spec: { paused: true } },
    1,
    { kind: 'evict', why: 'its rollouts are paused' },
  ],
  [
    'Recreate ends the pod first',
    { spec: { strategy: { type: 'Recreate' } } },
    1,
    { kind: 'evict', why: expect.stringContaining('Recreate') },
  ],
  [
    'a Deployment that is being deleted is left alone',
    { metadata: { generation: 3, deletionTimestamp: '2026-11-21T07:00:00Z' } },
    1,
    { kind: 'evict', why: 'it is being deleted' },
  ],
  [
    'a pod that is not available yet is waited for',
    { status: { ...underWay, replicas: 1, availableReplicas: 0 } },
    1,
    { kind: 'wait' },
  ],
])('%s', (_, parts, podsHere, verdict) => {
  expect(judgeRollout(deploymentOf(parts), podsHere)).toEqual(verdict);
});

it('restarts as kubectl does, and only the Deployment that was read', () => {
  expect(restartPatch(deploymentOf(), Date.parse('2026-11-21T07:00:00.123Z'))).toEqual({
    metadata: { uid: 'uid-of-deployment', resourceVersion: '7' },
    spec: {
      template: {
        metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-21T07:00:00Z' } },
      },
    },
  });
});

it('waits for a rollout as long as its Deployment gives it to progress', () => {
  expect(rolloutSeconds(deploymentOf())).toBe(600);
  expect(rolloutSeconds(deploymentOf({ spec: { progressDeadlineSeconds: 90 } }))).toBe(90);
});
