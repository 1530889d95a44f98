import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import {
  candidatesOf,
  describeKeptZones,
  describeProtected,
  isEmpty,
  keptZones,
  obstacleInNodes,
  obstacleOf,
  obstacleTo,
} from '../../../shared/giving-back/candidates.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import { givingBackAnnotation } from '../../../shared/nodes/node-keys.ts';
import { groupWith } from '../capacity/fixtures.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const idOf = (index: number): string => `i-${String(index).padStart(17, '0')}`;

const member = (index: number, changes: Partial<GroupMember> = {}): GroupMember => ({
  instanceId: idOf(index),
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  healthy: true,
  ...changes,
});

const groupOf = (changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {
    'kubernetes.io/cluster/prod': 'owned',
    'drover.dev/role': 'worker',
    'drover.dev/give-back-empty': 'true',
  },
  minSize: 1,
  maxSize: 9,
  desiredCapacity: 2,
  instances: [member(1), member(2)],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

const tagged = (key: string, value: string): AutoScalingGroup =>
  groupOf({ tags: { ...groupOf().tags, [key]: value } });

const nodeOf = (
  index: number,
  { metadata = {}, spec = {}, readySeconds = 600 }: Partial<Node> & { readonly readySeconds?: number } = {},
): Node => ({
  metadata: {
    name: `node-${index}`,
    uid: `uid-${index}`,
    creationTimestamp: new Date(now - 7_200_000 + index * 60_000).toISOString(),
    ...metadata,
  },
  spec: { providerID: `aws:///eu-west-1a/${idOf(index)}`, ...spec },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastTransitionTime: new Date(now - readySeconds * 1000).toISOString(),
      },
    ],
  },
});

const namesOf = (
  group: AutoScalingGroup,
  nodes: readonly Node[],
  at = now,
): readonly (string | undefined)[] =>
  candidatesOf(group, { nodes, now: at }).map(({ node }) => node.metadata?.name);

describe('a group that gives nodes back', () => {
  it('may do so while nothing speaks against it', () => {
    expect(obstacleOf(groupOf(), 'prod')).toBeUndefined();
    expect(
      obstacleOf(
        groupOf({ instances: [member(1), member(2), member(3, { lifecycleState: 'Standby' })] }),
        'prod',
      ),
    ).toBeUndefined();
  });

  it.each([
    ['is not there', undefined, 'there is no such managed group'],
    ['is of another cluster', tagged('kubernetes.io/cluster/prod', 'no'), 'there is no such managed group'],
    ['is paused', tagged('drover.dev/paused', 'true'), 'paused for the group'],
    ['requests no more', tagged('drover.dev/give-back-empty', 'false'), 'does not request it any more'],
    ['has a typing mistake', tagged('drover.dev/give-back-empty', 'yes'), 'is not true or false'],
    ['is a control plane', tagged('drover.dev/role', 'control-plane'), 'gives back only workers'],
    ['is of etcd', tagged('drover.dev/role', 'etcd'), 'gives back only workers'],
    [
      'belongs to EKS',
      groupOf({ tags: { ...groupOf().tags, 'eks:cluster-name': 'prod', 'eks:nodegroup-name': 'one' } }),
      'only EKS changes the size of its node groups',
    ],
    ['counts units of capacity', groupOf({ countsUnits: true }), 'counts units of capacity'],
    ['suspends launches', groupOf({ suspendedProcesses: ['Launch'] }), 'its group suspends Launch'],
    ['suspends terminations', groupOf({ suspendedProcesses: ['Terminate'] }), 'its group suspends Terminate'],
    ['is at MinSize', groupOf({ minSize: 2 }), 'is not above MinSize'],
    [
      'launches an instance',
      groupOf({ instances: [member(1), member(2, { lifecycleState: 'Pending' })] }),
      'one at a time',
    ],
    [
      'has an instance that leaves',
      groupOf({ instances: [member(1), member(2, { lifecycleState: 'Terminating:Wait' })] }),
      'one at a time',
    ],
    ['has an unhealthy instance', groupOf({ instances: [member(1, { healthy: false })] }), 'one at a time'],
    [
      'lacks instances that Auto Scaling has yet to launch',
      groupOf({ desiredCapacity: 3 }),
      'only 2 of 3 instances are in service',
    ],
    [
      'lacks an instance that is in Standby without a lower desired capacity',
      groupOf({ instances: [member(1), member(2, { lifecycleState: 'Standby' })] }),
      'only 1 of 2 instances are in service',
    ],
  ])('waits if it %s', (_, group, reason) => {
    expect(obstacleOf(group, 'prod')).toContain(reason);
  });
});

describe('a node that was chosen', () => {
  it('goes while its group still lets it', () => {
    expect(obstacleTo(idOf(2), groupOf(), 'prod')).toBeUndefined();
  });

  it.each<[string, readonly GroupMember[]]>([
    ['is protected from scale-in by now', [member(1), member(2, { protectedFromScaleIn: true }), member(3)]],
    ['is in Standby by now', [member(1), member(2, { lifecycleState: 'Standby' }), member(3)]],
    ['is in its group no more', [member(1), member(3)]],
    [
      'is the only one of its zone by now',
      [member(1), member(2, { availabilityZone: 'eu-west-1b' }), member(3)],
    ],
  ])('stays where its instance %s', (_, instances) => {
    const availabilityZones = ['eu-west-1a', 'eu-west-1b'];
    expect(obstacleTo(idOf(2), groupOf({ instances, availabilityZones }), 'prod')).toBe(
      `its group now keeps ${idOf(2)}`,
    );
  });

  it('stays where anything speaks against its group', () => {
    expect(obstacleTo(idOf(2), groupOf({ minSize: 2 }), 'prod')).toContain('is not above MinSize');
    expect(obstacleTo(idOf(2), undefined, 'prod')).toContain('no such managed group');
  });
});

describe('a node that may be given back', () => {
  it('comes last if the API server reports neither its age nor its labels and annotations', () => {
    const { metadata: _, ...bare } = nodeOf(1);
    const { metadata: { creationTimestamp: __, ...undated } = {}, ...rest } = nodeOf(3);
    const group = groupOf({ instances: [member(1), member(2), member(3)] });
    expect(namesOf(group, [bare, nodeOf(2), { ...rest, metadata: undated }])).toEqual([
      'node-2',
      undefined,
      'node-3',
    ]);
  });

  it('is the youngest first, and one that is reserved before it', () => {
    expect(namesOf(groupOf(), [nodeOf(1), nodeOf(2)])).toEqual(['node-2', 'node-1']);
    const cordoned = nodeOf(1, {
      metadata: { name: 'node-1', annotations: { [givingBackAnnotation]: 'x' } },
      spec: { providerID: idOf(1), unschedulable: true },
    });
    expect(namesOf(groupOf(), [cordoned, nodeOf(2)])).toEqual(['node-1', 'node-2']);
  });

  it.each<[string, Node]>([
    ['is cordoned by something else', nodeOf(1, { spec: { providerID: idOf(1), unschedulable: true } })],
    ['has been Ready for less than five minutes', nodeOf(1, { readySeconds: 299 })],
    [
      'does not say since when it is Ready',
      { ...nodeOf(1), status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
    ['leaves already', nodeOf(1, { metadata: { annotations: { 'drover.dev/leaving': '{}' } } })],
    [
      'an autoscaler may not take',
      nodeOf(1, {
        metadata: { annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' } },
      }),
    ],
    [
      'is labelled as one of etcd',
      nodeOf(1, { metadata: { labels: { 'node-role.kubernetes.io/etcd': '' } } }),
    ],
  ])('is none that %s', (_, node) => {
    expect(namesOf(groupOf(), [node])).toEqual([]);
  });

  it('is none of an instance that is protected, unhealthy or outside of the group, or that two Nodes name', () => {
    const instances = [member(1, { protectedFromScaleIn: true }), member(2, { healthy: false })];
    expect(namesOf(groupOf({ instances }), [nodeOf(1), nodeOf(2), nodeOf(3)])).toEqual([]);
    expect(namesOf(groupOf(), [nodeOf(1), nodeOf(1)])).toEqual([]);
  });

  it('comes to its turn within minutes in a large group', () => {
    const indexes = Array.from({ length: 25 }, (_, index) => index + 1);
    const group = groupOf({ instances: indexes.map((index) => member(index)) });
    const nodes = indexes.map((index) => nodeOf(index));
    const seen = new Set([0, 1, 2, 3, 4].flatMap((minute) => namesOf(group, nodes, now + minute * 60_000)));
    expect(seen.size).toBe(25);
    expect(namesOf(group, nodes)).toHaveLength(10);
  });
});

describe('the pods of an empty node', () => {
  const owned = (kind: string): Pod => ({
    metadata: {
      name: 'a',
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'u', controller: true }],
    },
    status: { phase: 'Running' },
  });

  it('are those of DaemonSets, static ones and those that have finished', () => {
    const mirror: Pod = { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } };
    expect(isEmpty([owned('DaemonSet'), mirror, { status: { phase: 'Succeeded' } }])).toBe(true);
    expect(isEmpty([])).toBe(true);
  });

  it('are not any others, even while they are pending or terminating', () => {
    expect(isEmpty([owned('ReplicaSet')])).toBe(false);
    expect(isEmpty([{ status: { phase: 'Pending' } }])).toBe(false);
    expect(
      isEmpty([{ metadata: { deletionTimestamp: '2026-11-24T12:00:00Z' }, status: { phase: 'Running' } }]),
    ).toBe(false);
  });
});

describe('the Nodes of a group that gives nodes back', () => {
  const cordoned = { providerID: idOf(2), unschedulable: true };
  const reserved = { annotations: { [givingBackAnnotation]: 'x' } };

  it('are more than MinSize that are Ready and take pods, or are reserved', () => {
    expect(obstacleInNodes(groupOf(), [nodeOf(1), nodeOf(2)])).toBeUndefined();
    expect(
      obstacleInNodes(groupOf(), [nodeOf(1), nodeOf(2, { metadata: reserved, spec: cordoned })]),
    ).toBeUndefined();
    expect(obstacleInNodes(groupOf({ minSize: 0 }), [nodeOf(1)])).toBeUndefined();
  });

  it.each<[string, AutoScalingGroup, readonly Node[]]>([
    ['an instance has no Node', groupOf(), [nodeOf(1)]],
    ['a Node is of another instance', groupOf(), [nodeOf(1), nodeOf(3)]],
    ['two Nodes name one instance', groupOf(), [nodeOf(1), nodeOf(1)]],
    ['an operator has cordoned a node', groupOf(), [nodeOf(1), nodeOf(2, { spec: cordoned })]],
    [
      'a node leaves',
      groupOf(),
      [nodeOf(1), nodeOf(2, { metadata: { annotations: { 'drover.dev/leaving': '{}' } } })],
    ],
    ['a node is not Ready', groupOf(), [nodeOf(1), { ...nodeOf(2), status: {} }]],
    [
      'an instance is in Standby',
      groupOf({ instances: [member(1), member(2, { lifecycleState: 'Standby' })] }),
      [nodeOf(1), nodeOf(2)],
    ],
  ])('are too few if %s', (_, group, nodes) => {
    expect(obstacleInNodes(group, nodes)).toBe('MinSize is 1, and only 1 of 2 nodes are Ready and take pods');
  });
});

/** A group in zones a, b and c with an instance in service for each letter. */
function groupIn(letters: string, changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup {
  const group = groupWith(letters.split('').map(() => 'InService'));
  return {
    ...group,
    availabilityZones: ['a', 'b', 'c'],
    instances: group.instances.map((member, index) => ({
      ...member,
      availabilityZone: letters[index] ?? '',
    })),
    ...changes,
  };
}

describe('the zones that keep their instances', () => {
  it.each([
    ['aabbcc', '', 'all are even, and one fewer anywhere does not cause a rebalance'],
    ['aabcc', 'b', 'none would be left beside two'],
    ['aabc', 'bc', 'each of them would be empty beside two'],
    ['abc', '', 'one zone may be empty beside one'],
    ['ab', '', 'an instance of either may go'],
    ['aaabbb', '', 'the zone without instances lacks capacity, and the others come nearer to it'],
    ['aaabc', 'bc', 'the difference would grow'],
    ['a', '', 'one instance'],
    ['', '', 'no instance'],
  ])('of %j are %j: %s', (letters, kept) => {
    expect(keptZones(groupIn(letters))).toEqual(kept.split(''));
  });

  it('are none if AZRebalance is suspended, or if the group has one zone', () => {
    expect(keptZones(groupIn('aabc', { suspendedProcesses: ['AZRebalance'] }))).toEqual([]);
    expect(keptZones(groupIn('aabc', { suspendedProcesses: ['Launch'] }))).toEqual(['b', 'c']);
    expect(keptZones(groupIn('aaaa', { availabilityZones: ['a'] }))).toEqual([]);
  });

  it('are counted by instances in service. A zone that the group has left keeps none', () => {
    const group = groupIn('aabbcc');
    const standby = group.instances.map((member, index) =>
      index === 3 ? { ...member, lifecycleState: 'Standby' } : member,
    );
    expect(keptZones({ ...group, instances: standby })).toEqual(['b']);
    expect(keptZones(groupIn('aabbx', { availabilityZones: ['a', 'b'] }))).toEqual([]);
    expect(keptZones(groupIn('aabx', { availabilityZones: ['a', 'b'] }))).toEqual(['b']);
  });

  it('are named together with the process that would rebalance them', () => {
    expect(describeKeptZones(groupIn('aabbcc'))).toBe('');
    expect(describeKeptZones(groupIn('aabc'))).toMatch(/^; b, c keep their nodes, .*\(AZRebalance\)$/);
  });
});

describe('instances that are protected from scale-in', () => {
  it.each([
    [0, ''],
    [1, '; 1 instance stays, because it is protected from scale-in'],
    [3, '; 3 instances stay, because they are protected from scale-in'],
  ])('are counted for the outcome of a pass: %i', (count, said) => {
    const instances = [1, 2, 3, 4].map((index) => member(index, { protectedFromScaleIn: index <= count }));
    const leaving = member(5, { protectedFromScaleIn: true, lifecycleState: 'Terminating:Wait' });
    expect(describeProtected({ instances: [...instances, leaving] })).toBe(said);
  });
});
