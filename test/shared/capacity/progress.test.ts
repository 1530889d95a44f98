import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupActivity } from '../../../shared/capacity/groups.ts';
import { foreignLeaves, progressOf } from '../../../shared/capacity/progress.ts';
import { groupWith, instanceId, nodeOf, seen, unknown } from './fixtures.ts';

describe('the progress of scaling out', () => {
  const change = { from: 1, desired: 3 };

  it('counts instances until all are in service', () => {
    const group = groupWith(['InService', 'Pending', 'Pending:Wait'], { desiredCapacity: 3 });
    expect(progressOf({ group, nodes: seen(nodeOf(1)), change })).toMatchObject({
      state: 'scaling-out',
      reason: '1 of 3 instances are in service',
      counts: { instances: { pending: 2, inService: 1, terminating: 0, other: 0 } },
      waitingFor: [
        { instanceId: instanceId(2), reason: 'is Pending' },
        { instanceId: instanceId(3), reason: 'is Pending:Wait' },
      ],
    });
  });

  it('then waits for their Nodes, with the reason for each', () => {
    const group = groupWith(['InService', 'InService', 'InService']);
    const nodes = seen(nodeOf(1), nodeOf(2, { ready: false }));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'scaling-out',
      reason: '1 of 3 nodes are Ready',
      counts: { nodes: { status: 'seen', ready: 1, notReady: 1, leaving: 0, missing: 1 } },
      waitingFor: [
        { instanceId: instanceId(2), reason: 'node-2 is not Ready' },
        { instanceId: instanceId(3), reason: 'is in service and has no Node' },
      ],
    });
  });

  it('is settled when the requested number of Nodes is Ready, even if others are leaving', () => {
    const group = groupWith(['InService', 'InService', 'InService', 'Terminating:Wait']);
    const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3), nodeOf(4, { leaving: true }));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'settled',
      reason: '3 of 3 nodes are Ready',
      waitingFor: [],
    });
  });

  it('does not count a Ready Node that is leaving', () => {
    const group = groupWith(['InService', 'InService', 'InService']);
    const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3, { leaving: true }));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'scaling-out',
      waitingFor: [{ instanceId: instanceId(3), reason: 'node-3 is leaving' }],
    });
  });

  it('is unknown if only the API server could answer', () => {
    const group = groupWith(['InService', 'InService', 'InService']);
    expect(progressOf({ group, nodes: unknown, change })).toMatchObject({
      state: 'unknown',
      reason: 'the API server did not answer',
      counts: { nodes: unknown },
    });
  });

  it('continues without the cluster while instances are missing', () => {
    const group = groupWith(['InService', 'Pending'], { desiredCapacity: 3 });
    expect(progressOf({ group, nodes: unknown, change })).toMatchObject({
      state: 'scaling-out',
      waitingFor: [{ instanceId: instanceId(2), reason: 'is Pending' }],
    });
  });

  it('does not wait for the Node of an instance in standby', () => {
    const group = groupWith(['InService', 'Standby'], { desiredCapacity: 3 });
    expect(progressOf({ group, nodes: seen(), change }).waitingFor).toEqual([
      { instanceId: instanceId(1), reason: 'is in service and has no Node' },
    ]);
  });

  it('continues while Auto Scaling still shows the previous number', () => {
    const group = groupWith(['InService']);
    expect(progressOf({ group, nodes: seen(nodeOf(1)), change }).state).toBe('scaling-out');
  });
});

describe('the progress of scaling in', () => {
  const change = { from: 3, desired: 1 };

  it('waits for Auto Scaling to choose', () => {
    const group = groupWith(['InService', 'InService', 'InService'], { desiredCapacity: 1 });
    const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'scaling-in',
      reason: 'Auto Scaling has yet to choose 2 to terminate',
    });
  });

  it('says how many instances Auto Scaling may not choose, because they are protected', () => {
    const group = groupWith(['InService', 'InService', 'InService'], { desiredCapacity: 1 });
    const instances = group.instances.map((instance) => ({ ...instance, protectedFromScaleIn: true }));
    const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3));
    const reasonOf = (kept: typeof group.instances) =>
      progressOf({ group: { ...group, instances: kept }, nodes, change }).reason;
    expect(reasonOf(instances)).toBe(
      'Auto Scaling has yet to choose 2 to terminate; 3 instances are protected from scale-in, so it chooses none until the protection is removed',
    );
    expect(reasonOf([...instances.slice(1), ...group.instances.slice(0, 1)])).toBe(
      'Auto Scaling has yet to choose 2 to terminate; 2 instances are protected from scale-in, so it chooses 1 instance at most until the protection is removed',
    );
  });

  it('waits for every drain, and names the pods that it waits for', () => {
    const group = groupWith(['InService', 'Terminating:Wait', 'Terminating:Proceed']);
    const waitingFor = ['shop/cart-0 (budget shop/cart)'];
    const nodes = seen(nodeOf(1), nodeOf(2, { leaving: true, waitingFor }));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'scaling-in',
      reason: '2 of the instances are not drained and terminated yet',
      waitingFor: [
        {
          instanceId: instanceId(2),
          reason: 'is Terminating:Wait: waits for shop/cart-0 (budget shop/cart)',
        },
        { instanceId: instanceId(3), reason: 'is Terminating:Proceed' },
      ],
    });
  });

  it('does not wait for instances that leave for another reason, but counts them in its reason', () => {
    const foreignLeaves = new Set([instanceId(3), instanceId(4)]);
    const states = ['InService', 'Terminating:Wait', 'Terminating:Wait', 'InService', 'InService'];
    const group = groupWith(states, { desiredCapacity: 1 });
    const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3), nodeOf(4, { leaving: true }), nodeOf(5));
    expect(progressOf({ group, nodes, change, foreignLeaves })).toMatchObject({
      state: 'scaling-in',
      reason: '1 of the instances is not drained and terminated yet; 2 more leave for other reasons',
      counts: { instances: { terminating: 2 } },
      waitingFor: [{ instanceId: instanceId(2) }],
    });
  });

  it('is settled while another instance leaves for another reason', () => {
    const group = groupWith(['InService', 'Terminating:Wait'], { desiredCapacity: 1 });
    const foreignLeaves = new Set([instanceId(2), instanceId(9)]);
    expect(progressOf({ group, nodes: seen(nodeOf(1)), change, foreignLeaves })).toMatchObject({
      state: 'settled',
      reason: 'no instance of the change is terminating, 1 is in service; 1 more leaves for another reason',
      waitingFor: [],
    });
  });

  it('waits for a marked node of an instance in service, and not for one in standby', () => {
    const group = groupWith(['InService', 'InService', 'Standby'], { desiredCapacity: 1 });
    const nodes = seen(nodeOf(1), nodeOf(2, { leaving: true }), nodeOf(3, { leaving: true }));
    expect(progressOf({ group, nodes, change })).toMatchObject({
      state: 'scaling-in',
      waitingFor: [{ instanceId: instanceId(2), reason: 'is InService' }],
    });
  });

  it('names at most twenty of the instances', () => {
    const group = groupWith(Array.from({ length: 30 }, () => 'Terminating:Wait'));
    expect(progressOf({ group, nodes: seen() }).waitingFor).toHaveLength(20);
  });

  it('is settled without any instance', () => {
    expect(progressOf({ group: groupWith([]), nodes: seen() })).toMatchObject({
      state: 'settled',
      reason: '0 of 0 instances are in service and none is leaving',
    });
  });

  it('is settled once the instances are gone, with or without the cluster', () => {
    const group = groupWith(['InService']);
    expect(progressOf({ group, nodes: unknown, change }).state).toBe('settled');
    expect(progressOf({ group, nodes: seen(), change }).state).toBe('settled');
  });

  it('ignores instances in standby, which do not count towards the capacity', () => {
    const group = groupWith(['InService', 'Standby', 'EnteringStandby']);
    expect(progressOf({ group, nodes: seen(), change })).toMatchObject({
      state: 'settled',
      counts: { instances: { other: 2 } },
    });
  });
});

describe('the progress of any change', () => {
  it('is superseded if the group has another desired capacity now', () => {
    const group = groupWith(['InService'], { desiredCapacity: 7 });
    expect(progressOf({ group, nodes: seen(), change: { from: 1, desired: 3 } })).toMatchObject({
      state: 'superseded',
      reason: 'the desired capacity is 7 now, not 3',
    });
  });

  it('without a change waits for both missing and surplus instances', () => {
    const group = groupWith(['InService', 'Terminating:Wait']);
    expect(progressOf({ group, nodes: seen(nodeOf(1)) }).state).toBe('scaling-in');
    expect(progressOf({ group: groupWith(['InService']), nodes: seen() }).state).toBe('scaling-out');
    expect(progressOf({ group: groupWith(['InService']), nodes: seen(nodeOf(1)) })).toMatchObject({
      state: 'settled',
      reason: '1 of 1 nodes are Ready and none is leaving',
    });
  });

  it('does not wait for the Node of an etcd member, and does not count it as missing', () => {
    const group = { ...groupWith(['InService']), tags: { 'drover.dev/role': 'etcd' } };
    expect(progressOf({ group, nodes: seen() })).toMatchObject({
      state: 'settled',
      reason: '1 of 1 instances are in service and none is leaving',
      counts: { nodes: { ready: 0, notReady: 0, leaving: 0, missing: 0 } },
    });
    expect(progressOf({ group, nodes: seen(nodeOf(1, { ready: false })) })).toMatchObject({
      state: 'scaling-out',
      counts: { nodes: { notReady: 1, missing: 0 } },
    });
  });

  it('names at most twenty instances', () => {
    const group = groupWith(
      Array.from({ length: 30 }, () => 'Pending'),
      { desiredCapacity: 30 },
    );
    expect(progressOf({ group, nodes: seen() }).waitingFor).toHaveLength(20);
  });

  const states = fc.array(
    fc.constantFrom('Pending', 'Pending:Wait', 'InService', 'Terminating', 'Terminating:Wait', 'Standby'),
    { maxLength: 8 },
  );

  it('never reports a scale-out as settled with fewer Ready nodes than requested', () => {
    fc.assert(
      fc.property(states, fc.nat(8), fc.array(fc.boolean(), { maxLength: 8 }), (all, desired, readiness) => {
        const group = groupWith(all, { desiredCapacity: desired });
        const nodes = seen(...readiness.map((ready, index) => nodeOf(index + 1, { ready })));
        const { state, counts } = progressOf({ group, nodes, change: { from: -1, desired } });
        const ready = counts.nodes.status === 'seen' ? counts.nodes.ready : 0;
        if (state === 'settled') expect(ready).toBeGreaterThanOrEqual(desired);
      }),
    );
  });

  it('never reports a scale-in as settled while an instance is terminating', () => {
    fc.assert(
      fc.property(states, fc.nat(8), (all, desired) => {
        const group = groupWith(all, { desiredCapacity: desired });
        const { state, counts } = progressOf({ group, nodes: unknown, change: { from: 99, desired } });
        if (counts.instances.terminating > 0) expect(state).toBe('scaling-in');
      }),
    );
  });
});

describe('the progress of a group whose sizes are units', () => {
  /** Instances of weights 3 and 2: five units. */
  const weighing = (states: readonly string[], desiredCapacity: number) => {
    const group = groupWith(states, { desiredCapacity, countsUnits: true });
    const instances = group.instances.map((member, index) => ({ ...member, weight: index === 0 ? 3 : 2 }));
    return { ...group, instances };
  };
  const nodes = seen(nodeOf(1), nodeOf(2), nodeOf(3));

  it('counts the units of instances and of Nodes that are Ready', () => {
    const group = weighing(['InService', 'Pending'], 5);
    expect(progressOf({ group, nodes, change: { from: 3, desired: 5 } })).toMatchObject({
      state: 'scaling-out',
      reason: '3 of 5 units of instances are in service',
    });
    const serving = weighing(['InService', 'InService'], 5);
    expect(progressOf({ group: serving, nodes: seen(nodeOf(2)) })).toMatchObject({
      state: 'scaling-out',
      reason: '2 of 5 units of nodes are Ready',
    });
    expect(progressOf({ group: serving, nodes })).toMatchObject({
      state: 'settled',
      reason: '5 of 5 units of nodes are Ready and none is leaving',
    });
  });

  it('does not wait for the scale-in of an instance without which the group would have too few units', () => {
    const three = ['InService', 'InService', 'InService'];
    expect(progressOf({ group: weighing(three, 6), nodes }).state).toBe('settled');
    expect(progressOf({ group: weighing(three, 5), nodes })).toMatchObject({
      state: 'scaling-in',
      reason: 'Auto Scaling has yet to choose 2 units to terminate',
    });
  });
});

it('the progress names a suspended process that it waits for', () => {
  const suspendedProcesses = ['Launch', 'Terminate'];
  const missing = groupWith(['InService'], { desiredCapacity: 2, suspendedProcesses });
  expect(progressOf({ group: missing, nodes: seen(nodeOf(1)) }).reason).toBe(
    '1 of 2 instances are in service; the group suspends Launch',
  );
  const surplus = groupWith(['InService', 'InService'], { desiredCapacity: 1, suspendedProcesses });
  expect(progressOf({ group: surplus, nodes: seen(nodeOf(1), nodeOf(2)) }).reason).toBe(
    'Auto Scaling has yet to choose 1 to terminate; the group suspends Terminate',
  );
});

const at = '2026-11-21T08:00:00Z';
const change = { from: 3, desired: 1 };

const activity = (
  cause: string,
  description = `Terminating EC2 instance: ${instanceId(1)}`,
): GroupActivity => ({
  activityId: 'a',
  status: 'InProgress',
  description,
  cause,
  startedAt: at,
});

const chosen = `At ${at} an instance was taken out of service in response to a difference between desired and actual capacity, shrinking the capacity from 3 to 2.  At ${at} instance ${instanceId(1)} was selected for termination.`;
const set = (from: number, to: number): string =>
  `At ${at} a user request explicitly set group desired capacity changing the desired capacity from ${from} to ${to}.  `;

describe('the leave of an instance during a scale-in', () => {
  it.each([
    ['for the change of the desired capacity', `${set(3, 1)}${chosen}`],
    ['for a change that Auto Scaling no longer names', chosen],
    ['for a change after one that it also names', `${set(5, 3)}${set(3, 1)}${chosen}`],
    [
      'for an update of the group, as EKS makes it',
      `At ${at} a user request update of AutoScalingGroup constraints to min: 1, max: 5, desired: 1 changing the desired capacity from 3 to 1.  ${chosen}`,
    ],
  ])('is the scale-in’s %s', (_, cause) => {
    expect(foreignLeaves([activity(cause)], change)).toEqual(new Set());
  });

  it.each([
    [
      'a user terminated it',
      `At ${at} instance ${instanceId(1)} was taken out of service in response to a user request.`,
    ],
    [
      'a user terminated it and lowered the number',
      `At ${at} instance ${instanceId(1)} was taken out of service in response to a user request, shrinking the capacity from 3 to 2.`,
    ],
    [
      'it failed a check',
      `At ${at} an instance was taken out of service in response to an EC2 health check indicating it has been terminated or stopped.`,
    ],
    ['an earlier scale-in chose it', `${set(13, 11)}${chosen}`],
    ['an earlier scale-in to less chose it', `${set(3, 0)}${chosen}`],
  ])('is foreign if %s', (_, cause) => {
    expect(foreignLeaves([activity(cause)], change)).toEqual(new Set([instanceId(1)]));
  });

  it('is judged by the newest termination activity; other activities are ignored', () => {
    const user = `At ${at} instance was taken out of service in response to a user request.`;
    const newestFirst = [
      activity(user, `Launching a new EC2 instance: ${instanceId(2)}`),
      activity(chosen),
      activity(user),
    ];
    expect(foreignLeaves(newestFirst, change)).toEqual(new Set());
    expect(foreignLeaves(newestFirst.toReversed(), change)).toEqual(new Set([instanceId(1)]));
  });
});
