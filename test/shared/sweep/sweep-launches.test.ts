import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { readJoiningMessage } from '../../../shared/joining/message.ts';
import { sweepLaunches } from '../../../shared/sweep/sweep-launches.ts';
import { joiningHook, joiningId, launchedAt } from '../../support/joining-context.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { groupOf } from '../../support/waiting-group.ts';

const managed = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' };

function createSweep(
  states: Readonly<Record<string, string>>,
  {
    hooks = async () => [joiningHook],
    tags = managed,
  }: { hooks?: () => Promise<readonly LifecycleHook[]>; tags?: Readonly<Record<string, string>> } = {},
) {
  const [queue, heartbeats] = [createMemoryQueue(), createMemoryQueue()];
  const group: AutoScalingGroup = { ...groupOf(states), tags };
  const sweep = () =>
    sweepLaunches({
      autoScaling: { listGroups: async () => [group], describeHooks: hooks },
      clock: createVirtualClock(launchedAt),
      send: queue.send,
      sendHeartbeats: heartbeats.send,
      clusterName: 'drover',
      joiningHookName: 'drover-node-joining',
    });
  return { sweep, queue, heartbeats };
}

describe('the sweep of launches', () => {
  it('sends each instance that waits on our launching hook', async () => {
    const { sweep, queue, heartbeats } = createSweep({ [joiningId]: 'Pending:Wait', 'i-2': 'InService' });
    expect(await sweep()).toEqual({ sent: 1, failures: [] });
    expect(heartbeats.messages.map(({ groupId = '' }) => groupId.slice(0, 19))).toEqual([joiningId]);
    expect(queue.messages.map(({ body }) => readJoiningMessage(body))).toMatchObject([
      { kind: 'message', message: { subject: joiningId, notice: { cause: 'swept' } } },
    ]);
  });

  it('ignores groups that have another launching hook or are not managed', async () => {
    const states = { [joiningId]: 'Pending:Wait' };
    const other = createSweep(states, {
      hooks: async () => [{ ...joiningHook, lifecycleHookName: 'drover-etcd-launch' }],
    });
    const foreign = createSweep(states, { tags: { 'kubernetes.io/cluster/drover': 'owned' } });
    await other.sweep();
    await foreign.sweep();
    expect([...other.queue.messages, ...foreign.queue.messages]).toEqual([]);
  });

  it('sends each instance that may wait on our hook if the hooks of its group cannot be read', async () => {
    const { sweep, queue, heartbeats } = createSweep(
      { [joiningId]: 'Pending:Wait', 'i-2': 'InService' },
      { hooks: () => Promise.reject(new Error('throttled')) },
    );
    expect(await sweep()).toMatchObject({ sent: 1 });
    expect(queue.messages).toHaveLength(1);
    expect(heartbeats.messages.map(({ body }) => JSON.parse(body))).toMatchObject([
      { notice: { instanceId: joiningId, transition: 'launching' } },
    ]);
  });

  it('reports hooks that it cannot read, and messages that it cannot send', async () => {
    const states = { [joiningId]: 'Pending:Wait' };
    const throttled = createSweep(states, { hooks: () => Promise.reject(new Error('throttled')) });
    expect(await throttled.sweep()).toMatchObject({
      failures: [{ item: 'the hooks of group workers', error: { message: 'throttled' } }],
    });
    const refused = createSweep(states);
    refused.queue.refuse(() => true);
    refused.heartbeats.refuse(() => true);
    expect(await refused.sweep()).toMatchObject({
      sent: 0,
      failures: [
        { item: `the heartbeats of ${joiningId}`, error: { message: 'InternalError' } },
        { item: `the pass over ${joiningId}`, error: { message: 'InternalError' } },
      ],
    });
  });
});
