import { describe, expect, it } from 'vitest';
import { type SweepContext, sweep } from '../../../shared/sweep/sweep.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

/** A sweep of one managed group without members, and one Node. */
function createSweep() {
  const { context } = createNodeContext(startedAt, node());
  const listedFrom: (number | undefined)[] = [];
  const askedOfEc2: string[] = [];
  const tags = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' };
  const made: SweepContext = {
    ...context,
    autoScaling: {
      listGroups: async (notBefore) => {
        listedFrom.push(notBefore);
        return [{ ...groupOf({}), tags }];
      },
      describeHooks: async () => [],
      describeInstance: async () => undefined,
    },
    ec2: {
      describeInstance: async (id) => {
        askedOfEc2.push(id);
        return undefined;
      },
    },
    send: async () => [],
    sendHeartbeats: async () => [],
    clusterName: 'drover',
    leavingHookName: 'drover-node-leaving',
  };
  return { context: made, listedFrom, askedOfEc2 };
}

describe('a sweep', () => {
  it('does not use a list of groups that was read before it began', async () => {
    const { context, listedFrom } = createSweep();
    await sweep(context);
    expect(listedFrom).toEqual([startedAt]);
  });

  it('asks EC2 for the instances of Nodes that are in no group', async () => {
    const { context, askedOfEc2 } = createSweep();
    expect((await sweep(context)).failures).toEqual([]);
    expect(askedOfEc2).toEqual([instanceId]);
  });

  it('does not treat any instance as outside the groups if the warm pools cannot be read', async () => {
    const { context, askedOfEc2 } = createSweep();
    const throttled = new Error('throttled');
    const autoScaling = { ...context.autoScaling, describeInstance: () => Promise.reject(throttled) };
    const { plan, failures } = await sweep({ ...context, autoScaling });
    expect(failures).toEqual([throttled]);
    expect(askedOfEc2).toEqual([]);
    expect(plan.findings.map(({ kind }) => kind)).not.toContain('unproven-orphan');
  });
});
