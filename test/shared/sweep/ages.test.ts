import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { sweep } from '../../../shared/sweep/sweep.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const before = (seconds: number): string => new Date(startedAt - seconds * 1000).toISOString();

/** The ages that a sweep reports, of one instance in this state whose Node was marked so many seconds before. */
async function agesOf({
  state = 'Terminating:Wait',
  renewed = 60,
  overdue,
  isMarked = true,
}: {
  readonly state?: string;
  readonly renewed?: number;
  /** How long ago the deadline was; undefined if the mark has none. */
  readonly overdue?: number;
  readonly isMarked?: boolean;
}) {
  const mark = formatLeavingMark({
    cause: 'terminating',
    instanceId,
    since: before(7200),
    renewedAt: before(renewed),
    ...(overdue !== undefined && { until: before(overdue) }),
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: [],
  });
  const { context } = createNodeContext(
    startedAt,
    node({ annotations: isMarked ? { [leavingAnnotation]: mark } : {} }),
  );
  const { overdueSeconds, quietSeconds } = await sweep({
    ...context,
    clock: createVirtualClock(startedAt),
    autoScaling: {
      listGroups: async () => [
        {
          ...groupOf({ [instanceId]: state }),
          tags: { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' },
        },
      ],
      describeHooks: async () => [],
      describeInstance: async () => undefined,
    },
    send: async () => [],
    sendHeartbeats: async () => [],
    clusterName: 'drover',
    leavingHookName: 'drover-node-leaving',
  });
  return { overdueSeconds, quietSeconds };
}

describe('the sweep reports a leaving node', () => {
  it.each(['Terminating:Wait', 'Warmed:Terminating:Wait', 'Warmed:Pending:Wait', 'ReplacingRootVolume:Wait'])(
    'past its deadline, and since when no pass has renewed its mark (%s)',
    async (state) => {
      expect(await agesOf({ state, overdue: 300, renewed: 90 })).toEqual({
        overdueSeconds: 300,
        quietSeconds: 90,
      });
    },
  );

  it('as never overdue if its mark has no deadline, or one that is yet to come', async () => {
    expect(await agesOf({})).toEqual({ overdueSeconds: 0, quietSeconds: 60 });
    expect(await agesOf({ overdue: -300 })).toEqual({ overdueSeconds: 0, quietSeconds: 60 });
  });

  it('only while its instance waits, and only if it is marked', async () => {
    expect(await agesOf({ state: 'InService', overdue: 300 })).toEqual({
      overdueSeconds: 0,
      quietSeconds: 0,
    });
    expect(await agesOf({ isMarked: false, overdue: 300 })).toEqual({ overdueSeconds: 0, quietSeconds: 0 });
  });
});
