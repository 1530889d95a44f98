import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { awaitVolumes } from '../../../shared/leaving/await-detachment.ts';
import { drain } from '../../../shared/leaving/drain.ts';
import type { LeavePlan } from '../../../shared/leaving/leave-plan.ts';
import type { Consistency } from '../../../shared/nodes/cluster.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { controller, instanceId, node, pod } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

/** A marked Node whose budgets hold every pod, and what each kind of list shows. */
function createDrain(lists: Readonly<Record<Consistency, readonly Pod[]>>, mark: Partial<LeavingMark> = {}) {
  const { context, node: current } = createNodeContext(startedAt, node());
  const cluster = {
    ...context.cluster,
    listPodsOnNode: async (_: string, consistency: Consistency) => lists[consistency],
    evictPod: async () => ({ kind: 'held' as const, message: 'budget web' }),
    listPodDisruptionBudgets: async () => [],
    listVolumeAttachments: async () => [
      { spec: { attacher: 'ebs.csi.aws.com', nodeName: 'node-1', source: { persistentVolumeName: 'data' } } },
    ],
  };
  const state = {
    ...leaveState({ noticedAt: startedAt, settings: context.settings.defaults }),
    node: node(),
    mark: markedAt(startedAt, mark),
  };
  return {
    context: { ...context, cluster },
    state,
    mark: () => readLeavingMark(current()?.metadata?.annotations),
  };
}

it.each([
  ['whose pods were held', { waitingFor: ['shop/web-1'] }],
  ['that was just marked', {}],
])(
  'a node %s is not empty while a consistent list shows a pod that the watch cache does not show',
  async (_, mark) => {
    const { context, state } = createDrain({ cached: [], consistent: [pod()] }, mark);
    expect(await drain(context, state)).toMatchObject({ status: 'again', facts: { podsWaitedFor: 1 } });
  },
);

it('a node whose pods budgets hold logs the budgets and its group, each budget once', async () => {
  const pods = ['web-1', 'web-2', 'api-1'].map((name) =>
    pod({ name, owner: controller('ReplicaSet', name) }),
  );
  const { context, state } = createDrain({ cached: pods, consistent: pods });
  const budgetOf = (name: string): string => (name.startsWith('web') ? 'web' : 'api');
  const cluster = {
    ...context.cluster,
    evictPod: async ({ name }: { readonly name: string }) => ({
      kind: 'held' as const,
      message: `The disruption budget ${budgetOf(name)} needs 2 healthy pods and has 2 currently`,
    }),
  };
  expect(await drain({ ...context, cluster }, state)).toMatchObject({
    status: 'again',
    facts: { waitsFor: 'budget', budgets: ['shop/api', 'shop/web'], autoScalingGroupName: 'workers' },
  });
});

it('a node is empty once a consistent list shows no pod', async () => {
  const { context, state } = createDrain({ cached: [], consistent: [] }, { waitingFor: ['shop/web-1'] });
  expect(await drain(context, state)).toMatchObject({ podsLeft: [] });
});

it('a node waits for the volume of a pod with a claim, although the Node reported no volume when it was marked', async () => {
  const claim = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
  const withClaim = [pod({ spec: { volumes: [claim] } })];
  const { context, state, mark } = createDrain({ cached: withClaim, consistent: withClaim });
  await drain(context, state);
  const later = mark();
  if (!later) throw new Error(`the Node of ${instanceId} has no mark`);
  const outcome = await awaitVolumes(context, { ...state, mark: later, podsLeft: [] });
  expect(outcome).toMatchObject({ status: 'again', facts: { waitsFor: 'volumes', volumesAttached: 1 } });
});

// https://github.com/kubernetes/kubernetes/issues/139772, in which the pod had ended and its kubelet could not release a device.
it('a node names the pod whose devices its kubelet does not release after the grace', async () => {
  const made = pod({ terminatesAt: startedAt - 60_000 });
  const claims = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'one-gpu' }] };
  const pods = [{ ...made, spec: { containers: [], ...made.spec, ...claims } }];
  const { context, state } = createDrain({ cached: pods, consistent: pods });
  expect(await drain(context, state)).toMatchObject({
    status: 'again',
    reason: expect.stringContaining(
      'one pod after the grace: shop/web-1 (terminating; its kubelet needs the driver of ResourceClaim one-gpu to release the devices)',
    ),
  });
});

it.each(['deadline', 'limit'] as const)(
  'a pod that ends between the list and its deletion at the %s is gone, and no failed drain',
  async (end) => {
    const { context, state } = createDrain({ cached: [pod()], consistent: [pod()] });
    const deadlines = { deadline: startedAt, limit: end === 'limit' ? startedAt : Infinity };
    const plan = { ...state.plan, deadlines, onFailure: 'ABANDON' as const };
    const cluster = { ...context.cluster, deletePod: async () => 'gone' as const };
    const outcome = await drain({ ...context, cluster }, { ...state, plan });
    expect(outcome).toMatchObject({ status: 'again', afterSeconds: 1 });
  },
);

it.each([
  [4, undefined],
  [6, true],
])(
  'a drain whose last pod should have ended %i s before, after the deadline, has failed: %s',
  async (seconds, failed) => {
    const ending = [pod({ terminatesAt: startedAt - seconds * 1000 })];
    const { context, state } = createDrain({ cached: ending, consistent: ending });
    const deadlines = { deadline: startedAt - 30_000, limit: Infinity };
    const plan = { ...state.plan, deadlines, onFailure: 'ABANDON' as const };
    const cluster = { ...context.cluster, deletePod: async () => 'deleted' as const };
    const outcome = await drain({ ...context, cluster }, { ...state, plan });
    expect('facts' in outcome && outcome.facts?.drainFailed).toBe(failed);
  },
);

it.each([
  [true, 'CONTINUE'],
  [false, 'ABANDON'],
])(
  'a failed drain, of an instance that keeps its Node for a new root volume: %s, ends with %s where ABANDON is set',
  async (keepsNode, result) => {
    const { context, state } = createDrain({ cached: [pod()], consistent: [pod()] });
    const results: string[] = [];
    const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
    const plan = {
      ...state.plan,
      action,
      deadlines: { deadline: startedAt, limit: startedAt },
      onFailure: 'ABANDON' as const,
    };
    const outcome = await drain(
      {
        ...context,
        cluster: { ...context.cluster, deletePod: async () => 'deleted' as const },
        autoScaling: {
          ...context.autoScaling,
          complete: (_, wanted) => {
            results.push(wanted);
            return Promise.resolve('completed' as const);
          },
        },
      },
      { ...state, plan, keepsNode },
    );
    expect(outcome).toMatchObject({ facts: { drainFailed: true } });
    expect(results).toEqual([result]);
  },
);

it('past the deadline the list of the pods is consistent, since a stale one shows pods that are gone', async () => {
  const { context, state } = createDrain({ cached: [pod()], consistent: [] }, { waitingFor: ['shop/web-1'] });
  const plan = { ...state.plan, deadlines: { deadline: startedAt, limit: Infinity } };
  expect(await drain(context, { ...state, plan })).toMatchObject({ podsLeft: [] });
});

it('a pass whose evictions get no answer, or are not sent for that reason, writes no mark, which would cost it as long again', async () => {
  const pods = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
    pod({ name, owner: controller('ReplicaSet', name) }),
  );
  const { context, state } = createDrain({ cached: pods, consistent: pods });
  const patches: string[] = [];
  const cluster = {
    ...context.cluster,
    evictPod: () => Promise.reject(new KubernetesError('unreachable', 'no answer within 20000 ms')),
    patchNode: (name: string) => {
      patches.push(name);
      return Promise.resolve(node());
    },
  };
  expect(await drain({ ...context, cluster }, state)).toMatchObject({ status: 'again' });
  expect(patches).toEqual([]);
});

describe('a pod that asks to finish', () => {
  const never = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' };
  const minutes = 60_000;
  const asking = pod({ name: 'import', namespace: 'jobs', uid: 'uid-import', annotations: never });
  const rolled = (roll: boolean): Partial<LeavingMark> => (roll ? { ofRoll: true } : {});

  /** A drain of 15 minutes, of a node whose wait lasts until `limit`, and what a pass at each minute does. */
  const drainOf = (
    mark: Partial<LeavingMark>,
    plan: Partial<LeavePlan> = {},
    annotationTimeoutSeconds = 7200,
  ) => {
    const both = [asking, pod()];
    const { context, state } = createDrain({ cached: both, consistent: both }, mark);
    const calls: string[] = [];
    const cluster = {
      ...context.cluster,
      evictPod: async ({ name }: { readonly name: string }) => {
        calls.push(`evict ${name}`);
        return { kind: 'evicted' as const };
      },
      deletePod: async ({ name }: { readonly name: string }) => {
        calls.push(`delete ${name}`);
        return 'deleted' as const;
      },
    };
    const at = async (minute: number) => {
      calls.length = 0;
      const settings = { ...state.settings, annotationTimeoutSeconds };
      const outcome = await drain(
        { ...context, cluster, clock: { now: () => startedAt + minute * minutes } },
        { ...state, settings, plan: { ...state.plan, ...plan } },
      );
      return { outcome, calls: calls.toSorted() };
    };
    return { at };
  };

  it('is left by the drain of a roll, also after the drain timeout, while the others go by theirs', async () => {
    const { at } = drainOf(rolled(true));
    const { outcome, calls } = await at(1);
    expect(calls).toEqual(['evict web-1']);
    expect(outcome).toMatchObject({
      status: 'again',
      reason: expect.stringContaining(
        'jobs/import (annotation cluster-autoscaler.kubernetes.io/safe-to-evict=false until 2026-11-21T09:00Z)',
      ),
    });
    expect((await at(30)).calls).toEqual(['delete web-1']);
    expect((await at(119)).calls).toEqual(['delete web-1']);
  });

  it('is evicted when the timeout is over, and deleted a drain timeout later', async () => {
    const { at } = drainOf(rolled(true));
    expect((await at(120)).calls).toContain('evict import');
    expect((await at(134)).calls).toContain('evict import');
    expect((await at(135)).calls).toContain('delete import');
  });

  it('goes before the hook ends the wait, with the drain timeout for its budget', async () => {
    const limit = startedAt + 60 * minutes;
    const { at } = drainOf(rolled(true), {
      latestStart: limit - 15 * minutes,
      deadlines: { deadline: startedAt + 15 * minutes, limit },
    });
    expect((await at(44)).calls).not.toContain('evict import');
    expect((await at(45)).calls).toContain('evict import');
    expect((await at(60)).calls).toContain('delete import');
  });

  it('holds a drain on a rebalance recommendation, and no other drain', async () => {
    expect((await drainOf({}, { cause: 'rebalance' }).at(1)).calls).toEqual(['evict web-1']);
    expect((await drainOf({}).at(1)).calls).toEqual(['evict import', 'evict web-1']);
    expect((await drainOf({}, { cause: 'scheduled-change' }).at(1)).calls).toHaveLength(2);
  });

  it('holds nothing if EC2 takes the instance, or if the tag of the group says so', async () => {
    const spot = { cause: 'spot-interruption', mustHurry: true } as const;
    expect((await drainOf(rolled(true), spot).at(1)).calls).toContain('evict import');
    expect((await drainOf(rolled(true), {}, 0).at(1)).calls).toContain('evict import');
  });
});
