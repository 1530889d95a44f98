import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import type { AutoScalingGroup, GroupInstance } from '../../../../shared/groups/group.ts';
import { type RepairContext, repairNodes } from '../../../../shared/sweep/repair/repair-nodes.ts';
import { id, member, nodeOf, nodesWith, now, silentNode, workers } from './support.ts';

interface Scene {
  readonly unreadInEc2?: readonly string[];
  readonly groups?: readonly AutoScalingGroup[];
  readonly nodes?: readonly Node[];
  /** What Auto Scaling answers when the instance is read again. */
  readonly again?: GroupInstance | undefined;
  readonly countReplacements?: RepairContext['countReplacements'];
  readonly setUnhealthy?: RepairContext['setUnhealthy'];
}

const inWorkers = { ...member(1), autoScalingGroupName: 'workers' };

async function repairIn(scene: Scene) {
  const calls: unknown[] = [];
  const report = await repairNodes({
    autoScaling: {
      listGroups: async (notBefore) => {
        calls.push(['listGroups', notBefore]);
        return scene.groups ?? [workers()];
      },
      describeInstance: async (instanceId, notBefore) => {
        calls.push(['describeInstance', instanceId, notBefore]);
        return 'again' in scene ? scene.again : { ...inWorkers, instanceId };
      },
    },
    ec2: {
      describeInstance: async (instanceId) => {
        if (scene.unreadInEc2?.includes(instanceId)) throw new Error('EC2 is away');
        return { instanceId, state: 'running', tags: {}, privateIpAddress: '10.0.1.17' };
      },
    },
    cluster: {
      listNodes: async (consistency) => {
        calls.push(['listNodes', consistency]);
        return scene.nodes ?? nodesWith([silentNode(1), silentNode(2)]);
      },
    },
    countReplacements: async (name, since) => {
      calls.push(['countReplacements', name, since]);
      return (await scene.countReplacements?.(name, since)) ?? 0;
    },
    setUnhealthy: async (instanceId) => {
      calls.push(['setUnhealthy', instanceId]);
      await scene.setUnhealthy?.(instanceId);
    },
    clock: createVirtualClock(now),
    clusterName: 'drover',
  });
  return { report, calls };
}

const acted = (calls: readonly unknown[]): readonly unknown[] =>
  calls.filter((call) => (call as readonly unknown[])[0] === 'setUnhealthy');

it('a repair reads the current state, and sets one instance Unhealthy', async () => {
  const { report, calls } = await repairIn({});
  expect(calls).toEqual([
    ['listGroups', now],
    ['listNodes', 'consistent'],
    ['countReplacements', 'workers', now - 3_600_000],
    ['describeInstance', id(1), now],
    ['setUnhealthy', id(1)],
  ]);
  expect(report.repaired.map(({ node }) => node)).toEqual(['node-1']);
  expect(report.findings.map(({ verdict }) => verdict)).toEqual(['repair', 'bounded']);
  expect(report.failures).toEqual([]);
});

it('reads neither Nodes nor activities if no group has repair, or if the group belongs to another cluster', async () => {
  const { 'drover.dev/repair': _, ...tags } = workers().tags;
  const stranger = workers({ tags: { 'kubernetes.io/cluster/drover': 'other' } });
  for (const group of [{ ...workers(), tags }, stranger]) {
    const { report, calls } = await repairIn({ groups: [group] });
    expect(calls).toEqual([['listGroups', now]]);
    expect(report).toEqual({ findings: [], repaired: [], problems: [], failures: [] });
  }
});

it('reads no activities if no node fails', async () => {
  const { calls } = await repairIn({ nodes: nodesWith([]) });
  expect(calls).toEqual([
    ['listGroups', now],
    ['listNodes', 'consistent'],
  ]);
});

it.each([
  ['fails before it', silentNode(2, 600, { name: 'ip-10-9-9-9.ec2.internal' })],
  ['is Ready', nodeOf(1, [], { name: 'ip-10-9-9-9.ec2.internal' })],
])('a Node with the name of another instance stops no repair if it %s', async (_, stranger) => {
  const { report } = await repairIn({ nodes: [stranger, ...nodesWith([silentNode(1)])] });
  expect(report.repaired.map(({ node }) => node)).toEqual(['node-1']);
});

it('names tags that have no effect', async () => {
  const { report } = await repairIn({ groups: [workers({ tags: { 'drover.dev/repair': 'soon' } })] });
  expect(report.problems).toMatchObject([
    { autoScalingGroupName: 'workers', message: expect.stringContaining('is not CONDITION=DURATION') },
  ]);
});

it.each([
  ['is in no group', undefined],
  ['leaves', { ...inWorkers, lifecycleState: 'Terminating' }],
  ['is Unhealthy already', { ...inWorkers, healthy: false }],
  ['has just been protected', { ...inWorkers, protectedFromScaleIn: true }],
])('an instance that %s meanwhile is let be', async (_, again) => {
  const { report, calls } = await repairIn({ again });
  expect(acted(calls)).toEqual([]);
  expect(report.repaired).toEqual([]);
});

it('a group whose activities cannot be read is left alone, and the failure is reported', async () => {
  const denied = new Error('denied');
  const { report, calls } = await repairIn({ countReplacements: () => Promise.reject(denied) });
  expect(acted(calls)).toEqual([]);
  expect(report.findings.map(({ verdict }) => verdict)).toEqual(['cannot-judge', 'cannot-judge']);
  expect(report.findings[0]?.reason).toBe('the activities of its group cannot be read: denied');
  expect(report.failures).toEqual([{ item: 'the activities of group workers', error: denied }]);
});

it('a call that fails for one group does not prevent the repair of another', async () => {
  const others = workers({ autoScalingGroupName: 'others', instances: [member(11)], desiredCapacity: 1 });
  const denied = new Error('denied');
  const { report } = await repairIn({
    groups: [workers(), others],
    nodes: nodesWith([silentNode(1), silentNode(11)], 11),
    setUnhealthy: (instanceId) => (instanceId === id(1) ? Promise.reject(denied) : Promise.resolve()),
  });
  expect(report.repaired.map(({ instanceId }) => instanceId)).toEqual([id(11)]);
  expect(report.failures).toEqual([{ item: `the repair of ${id(1)}`, error: denied }]);
});

it('does not judge a node whose owner EC2 does not show, and repairs another one of its group', async () => {
  const doubtful = silentNode(1, 1200, { name: 'ip-10-0-1-17.ec2.internal' });
  const { report, calls } = await repairIn({
    nodes: nodesWith([doubtful, silentNode(2)]),
    unreadInEc2: [id(1)],
  });
  expect(acted(calls)).toEqual([['setUnhealthy', id(2)]]);
  expect(report.findings).toMatchObject([
    {
      instanceId: id(1),
      verdict: 'cannot-judge',
      reason: 'EC2 does not show whose Node it is: EC2 is away',
    },
    { instanceId: id(2), verdict: 'repair' },
  ]);
  expect(report.failures).toMatchObject([
    { item: `whose the Node of ${id(1)} is`, error: { message: 'EC2 is away' } },
  ]);
});

it('rejects if the Nodes cannot be listed, because nothing can be judged', async () => {
  const context = repairIn({
    get nodes(): never {
      throw new Error('no answer');
    },
  });
  await expect(context).rejects.toThrow('no answer');
});

it('an instance is not replaced because of the Node of another one that claims its providerID', async () => {
  const { report, calls } = await repairIn({
    nodes: nodesWith([silentNode(1, 11, { name: 'ip-10-0-1-18.eu-west-1.compute.internal' })]),
  });
  expect(acted(calls)).toEqual([]);
  expect(report).toMatchObject({
    repaired: [],
    findings: [
      {
        verdict: 'left-alone',
        reason: `it has the name of another instance than ${id(1)}, which its providerID names`,
      },
    ],
  });
  const own = await repairIn({ nodes: nodesWith([silentNode(1, 11, { name: 'ip-10-0-1-17' })]) });
  expect(acted(own.calls)).toEqual([['setUnhealthy', id(1)]]);
});
