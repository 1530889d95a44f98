import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { restartAnnotation } from '../../../shared/draining/rollout-restart.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { drain } from '../../../shared/leaving/drain.ts';
import type { DrainCluster, EvictionAnswer } from '../../../shared/nodes/cluster.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { controller, node, pod } from '../../support/pods.ts';
import { deploymentOf, replicaSetOf } from '../../support/rollouts.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const asking = { annotations: { [restartAnnotation]: 'true' } };

/** A cordoned Node with one pod that asks for a rollout, 15 minutes before its deadline. */
function createDrain({
  pods = [pod(asking)],
  deployment = deploymentOf(),
  cluster: own = {},
  mark: marked = {},
  unschedulable = true,
}: {
  readonly pods?: readonly Pod[];
  readonly deployment?: Deployment;
  readonly cluster?: Partial<DrainCluster>;
  readonly mark?: Partial<LeavingMark>;
  readonly unschedulable?: boolean;
} = {}) {
  const { context, node: current, pass } = createNodeContext(startedAt, node({ unschedulable }));
  let stored = deployment;
  const calls: string[] = [];
  const events: string[] = [];
  const cluster: DrainCluster = {
    ...context.cluster,
    listPodsOnNode: async () => pods,
    getReplicaSet: async () => replicaSetOf(),
    getDeployment: async () => stored,
    patchDeployment: async (namespace, name) => {
      calls.push(`restart ${namespace}/${name}`);
      stored = { ...stored, metadata: { ...stored.metadata, generation: 4 } };
    },
    evictPod: async ({ name }): Promise<EvictionAnswer> => {
      calls.push(`evict ${name}`);
      return { kind: 'evicted' };
    },
    recordEvent: async ({ reason, message }) => void events.push(`${reason}: ${message}`),
    ...own,
  };
  const state = {
    ...leaveState({ noticedAt: startedAt, settings: context.settings.defaults }),
    node: node({ unschedulable }),
    mark: markedAt(startedAt, marked),
  };
  const mark = () => readLeavingMark(current()?.metadata?.annotations) ?? state.mark;
  return {
    drain: (parts: Partial<typeof state> = {}) =>
      drain({ ...context, cluster }, { ...state, mark: mark(), ...parts }),
    state,
    calls,
    events,
    mark,
    pass,
    undo: () => {
      stored = deployment;
    },
  };
}

const failure = (kind: 'forbidden' | 'unavailable' | 'conflict', statusCode: number) =>
  new KubernetesError(kind, 'PATCH web', { statusCode });

describe('the drain of a pod that asks for a rollout', () => {
  it('restarts the rollout and does not evict the pod', async () => {
    const world = createDrain();
    expect(await world.drain()).toMatchObject({
      status: 'again',
      afterSeconds: 10,
      reason: expect.stringContaining(
        'shop/web-1 (waits for the rollout of shop/web until 2026-11-21T07:10Z)',
      ),
      facts: { waitsFor: 'rollout', podsEvicted: 0 },
    });
    expect(world.calls).toEqual(['restart shop/web']);
    expect(world.events[0]).toMatch(/^RolloutRestarted: the rollout of shop\/web is restarted/);
    expect(world.mark()).toMatchObject({ restarted: ['uid-of-deployment'] });
  });

  it('restarts it once, however often passes are repeated', async () => {
    const world = createDrain();
    for (let round = 0; round < 5; round += 1) {
      await world.drain();
      world.pass(60);
    }
    expect(world.calls).toEqual(['restart shop/web']);
  });

  it('restarts nothing again if a pass was killed before it could write the mark', async () => {
    const world = createDrain();
    await world.drain();
    await world.drain({ mark: world.state.mark });
    expect(world.calls).toEqual(['restart shop/web']);
  });

  it('evicts the pod if something has undone the restart', async () => {
    const world = createDrain();
    await world.drain();
    world.undo();
    expect(await world.drain()).toMatchObject({
      reason: expect.stringContaining('its rollout was restarted, and something has undone that'),
    });
    expect(world.calls).toEqual(['restart shop/web', 'evict web-1']);
  });

  it('evicts the pod once the rollout has had its time', async () => {
    const world = createDrain();
    await world.drain();
    world.pass(600);
    await world.drain();
    expect(world.calls).toEqual(['restart shop/web', 'evict web-1']);
  });

  it('evicts it a minute before it would be deleted, even if the rollout had more time', async () => {
    const world = createDrain({ deployment: deploymentOf({ spec: { progressDeadlineSeconds: 3600 } }) });
    await world.drain();
    world.pass(900 - 30 - 61);
    await world.drain();
    expect(world.calls).toEqual(['restart shop/web']);
    world.pass(1);
    await world.drain();
    expect(world.calls).toEqual(['restart shop/web', 'evict web-1']);
  });

  it('evicts the other pods meanwhile', async () => {
    const other = pod({ name: 'api-1', owner: controller('ReplicaSet', 'api') });
    const world = createDrain({ pods: [pod(asking), other] });
    await world.drain();
    expect(world.calls.toSorted()).toEqual(['evict api-1', 'restart shop/web']);
  });

  it('evicts the pod and says why without the right', async () => {
    const getReplicaSet = () => Promise.reject(failure('forbidden', 403));
    const world = createDrain({ cluster: { getReplicaSet } });
    expect(await world.drain()).toMatchObject({
      reason: expect.stringContaining('shop/web-1 is evicted without a rollout of its Deployment: PATCH web'),
    });
    expect(world.calls).toEqual(['evict web-1']);
  });

  it('evicts the pod if the restart is denied', async () => {
    const patchDeployment = () => Promise.reject(failure('forbidden', 403));
    const world = createDrain({ cluster: { patchDeployment } });
    await world.drain();
    expect(world.calls).toEqual(['evict web-1']);
  });

  it('holds the pod while the API server does not respond to the restart', async () => {
    const patchDeployment = () => Promise.reject(failure('unavailable', 503));
    const world = createDrain({ cluster: { patchDeployment } });
    expect(await world.drain()).toMatchObject({ facts: { waitsFor: 'rollout' } });
    expect(world.calls).toEqual([]);
  });

  it('reads a Deployment again that has changed since it was read', async () => {
    const answers = [failure('conflict', 409)];
    const calls: string[] = [];
    const patchDeployment = async () => {
      const error = answers.pop();
      if (error) throw error;
      calls.push('restart');
    };
    const world = createDrain({ cluster: { patchDeployment } });
    await world.drain();
    expect(world.mark().restarted).toBeUndefined();
    await world.drain();
    expect(calls).toEqual(['restart']);
  });

  it.each([
    [
      'is not controlled by the ReplicaSet of that name',
      { getReplicaSet: async () => ({ metadata: { uid: 'other' } }) },
    ],
    ['has a ReplicaSet of its own', { getReplicaSet: async () => ({ metadata: { uid: 'uid-of-web' } }) }],
    [
      'has a Deployment that was made again',
      { getDeployment: async () => deploymentOf({ metadata: { uid: 'other' } }) },
    ],
    ['has a Deployment that is gone', { getDeployment: async () => undefined }],
  ])('evicts a pod that %s', async (_, cluster) => {
    const world = createDrain({ cluster });
    await world.drain();
    expect(world.calls).toEqual(['evict web-1']);
  });

  it.each([
    [
      'came after the drain began, because it tolerates the cordon',
      {
        pods: [
          pod({
            ...asking,
            metadata: { creationTimestamp: new Date(startedAt + 5000).toISOString() },
          }),
        ],
      },
    ],
    ['does not ask', { pods: [pod()] }],
    ['is on a node that could not be cordoned', { unschedulable: false }],
  ])('restarts nothing for a pod that %s', async (_, parts) => {
    const world = createDrain(parts);
    await world.drain();
    expect(world.calls).toEqual(['evict web-1']);
  });

  it('restarts nothing if EC2 takes the instance at a fixed time', async () => {
    const world = createDrain();
    await world.drain({ plan: { ...world.state.plan, mustHurry: true } });
    expect(world.calls).toEqual(['evict web-1']);
  });

  it('lets a pod finish first that asks for that as well', async () => {
    const both = pod({ annotations: { ...asking.annotations, 'karpenter.sh/do-not-disrupt': 'true' } });
    const world = createDrain({ pods: [both], mark: { ofRoll: true } });
    expect(await world.drain()).toMatchObject({ facts: { waitsFor: 'annotation' } });
    expect(world.calls).toEqual([]);
  });
});
