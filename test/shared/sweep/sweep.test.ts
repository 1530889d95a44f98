import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSilence } from '../../../shared/base/side-by-side.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { type SweepContext, sweep } from '../../../shared/sweep/sweep.ts';
import { behave, behaviours, finished } from '../../support/item-faults.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

const managedTags = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' };

/** A sweep of one managed group without members, and one Node. */
function createSweep() {
  const { context } = createNodeContext(startedAt, node());
  const listedFrom: (number | undefined)[] = [];
  const askedOfEc2: string[] = [];
  const made: SweepContext = {
    ...context,
    clock: createVirtualClock(startedAt),
    autoScaling: {
      listGroups: async (notBefore) => {
        listedFrom.push(notBefore);
        return [{ ...groupOf({}), tags: managedTags }];
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

  it('does not treat an instance in a warm pool, which its group does not list, as outside the groups', async () => {
    const { context, askedOfEc2 } = createSweep();
    const pooled = { instanceId, lifecycleState: 'Warmed:Stopped', availabilityZone: 'eu-west-1a' };
    const describeInstance = async () => ({ ...pooled, healthy: true, autoScalingGroupName: 'workers' });
    await sweep({ ...context, autoScaling: { ...context.autoScaling, describeInstance } });
    expect(askedOfEc2).toEqual([]);
  });

  it('reports that the Nodes could not be listed', async () => {
    const { context } = createSweep();
    const error = new Error('the API server does not respond');
    const { failures } = await sweep({ ...context, cluster: { listNodes: () => Promise.reject(error) } });
    expect(failures).toEqual([{ item: 'the list of Nodes', error }]);
  });

  it('does not treat any instance as outside the groups if the warm pools cannot be read', async () => {
    const { context, askedOfEc2 } = createSweep();
    const throttled = new Error('throttled');
    const autoScaling = { ...context.autoScaling, describeInstance: () => Promise.reject(throttled) };
    const { plan, failures } = await sweep({ ...context, autoScaling });
    expect(failures).toEqual([{ item: `the group of instance ${instanceId}`, error: throttled }]);
    expect(askedOfEc2).toEqual([]);
    expect(plan.findings.map(({ kind }) => kind)).not.toContain('unproven-orphan');
  });
});

describe('a sweep of which single calls fail or hang', () => {
  const idOf = (index: number): string => `i-${String(index).padStart(17, '0')}`;
  const indexOf = (name: string): number => Number(name.slice('group-'.length));
  const hook = {
    lifecycleHookName: 'drover-node-leaving',
    transition: 'terminating',
    heartbeatTimeoutSeconds: 300,
  } as LifecycleHook;

  it('begins with the groups that the last sweep had no time for', async () => {
    const clock = createVirtualClock(startedAt);
    const { context } = createSweep();
    const asked: string[] = [];
    const names = Array.from({ length: 80 }, (_, index) => `group-${index}`);
    const slow: SweepContext = {
      ...context,
      clock,
      silence: createSilence<string>((name) => name),
      autoScaling: {
        ...context.autoScaling,
        listGroups: async () =>
          names.map((autoScalingGroupName) => ({ ...groupOf({}), autoScalingGroupName, tags: managedTags })),
        describeHooks: async (name) => {
          asked.push(name);
          await new Promise<void>((resolve) => clock.after(4000, resolve));
          return [];
        },
      },
    };
    const first = await finished(clock, sweep(slow));
    expect(first.failures.length).toBeGreaterThan(20);
    await finished(clock, sweep(slow));
    expect(new Set(asked)).toEqual(new Set(names));
  });

  it('waits for slow hooks and a slow API server at the same time', async () => {
    const clock = createVirtualClock(startedAt);
    const { context } = createSweep();
    const after = async (seconds: number): Promise<void> =>
      await new Promise((resolve) => clock.after(seconds * 1000, resolve));
    const slow: SweepContext = {
      ...context,
      clock,
      cluster: {
        listNodes: async () => {
          await after(19);
          return [];
        },
      },
      autoScaling: {
        ...context.autoScaling,
        describeHooks: async () => {
          await after(7);
          return [];
        },
      },
    };
    await finished(clock, sweep(slow));
    expect(clock.now() - startedAt).toBe(19_000);
  });

  it('sends the waits of every group whose hooks can be read, the heartbeats of all, and names the others', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(15), async (ofHooks) => {
        const { context } = createSweep();
        const clock = createVirtualClock(startedAt);
        const queue = createMemoryQueue();
        const heartbeats = createMemoryQueue();
        const report = await finished(
          clock,
          sweep({
            ...context,
            clock,
            send: queue.send,
            sendHeartbeats: heartbeats.send,
            autoScaling: {
              ...context.autoScaling,
              listGroups: async () =>
                ofHooks.map((_, index) => ({
                  ...groupOf({ [idOf(index)]: 'Terminating:Wait' }),
                  autoScalingGroupName: `group-${index}`,
                  tags: managedTags,
                })),
              describeHooks: (name) => behave(ofHooks[indexOf(name)], () => [hook]),
            },
          }),
        );
        const read = [...ofHooks.keys()].filter((index) => ofHooks[index] === 'answers');
        const sent = queue.messages.map(({ body }) => JSON.stringify(body));
        for (const index of read) expect(sent.some((body) => body.includes(idOf(index)))).toBe(true);
        expect(heartbeats.messages).toHaveLength(ofHooks.length);
        expect(report.failures.map(({ item }) => item)).toEqual(
          [...ofHooks.keys()]
            .filter((index) => ofHooks[index] !== 'answers')
            .map((index) => `the hooks of group group-${index}`),
        );
        expect(clock.now() - startedAt).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 25 },
    );
  });

  it('asks EC2 for every Node outside the groups but those that may be in a warm pool', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(8), behaviours(8), async (ofPools, ofEc2) => {
        const { context } = createSweep();
        const clock = createVirtualClock(startedAt);
        const asked: string[] = [];
        const nodes = ofPools.map((_, index) => node({ name: `node-${index}`, instanceId: idOf(index) }));
        const numberOf = (id: string): number => Number(id.slice(2));
        const report = await finished(
          clock,
          sweep({
            ...context,
            clock,
            cluster: { listNodes: async () => nodes },
            autoScaling: {
              ...context.autoScaling,
              describeInstance: (id) => behave(ofPools[numberOf(id)], () => undefined),
            },
            ec2: {
              describeInstance: (id) => {
                asked.push(id);
                return behave(ofEc2[numberOf(id)], () => undefined);
              },
            },
          }),
        );
        expect(asked).toEqual([...ofPools.keys()].filter((index) => ofPools[index] === 'answers').map(idOf));
        expect(report.failures).toHaveLength(
          ofPools.filter((behaviour) => behaviour !== 'answers').length +
            asked.filter((id) => (ofEc2[numberOf(id)] ?? 'answers') !== 'answers').length,
        );
      }),
      { numRuns: 25 },
    );
  });
});
