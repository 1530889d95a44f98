import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { obstacleInNodes } from '../../../shared/giving-back/open-nodes.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import { givingBackAnnotation } from '../../../shared/nodes/node-keys.ts';

const idOf = (index: number): string => `i-${String(index).padStart(17, '0')}`;

const member = (index: number, lifecycleState = 'InService'): GroupMember => ({
  instanceId: idOf(index),
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const groupOf = (changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {},
  minSize: 1,
  maxSize: 9,
  desiredCapacity: 2,
  instances: [member(1), member(2)],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

const nodeOf = (index: number, changes: Partial<Node> = {}): Node => ({
  spec: { providerID: `aws:///eu-west-1a/${idOf(index)}` },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
  ...changes,
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
    ['a person has cordoned a node', groupOf(), [nodeOf(1), nodeOf(2, { spec: cordoned })]],
    [
      'a node leaves',
      groupOf(),
      [nodeOf(1), nodeOf(2, { metadata: { annotations: { 'drover.dev/leaving': '{}' } } })],
    ],
    ['a node is not Ready', groupOf(), [nodeOf(1), { ...nodeOf(2), status: {} }]],
    [
      'an instance is in Standby',
      groupOf({ instances: [member(1), member(2, 'Standby')] }),
      [nodeOf(1), nodeOf(2)],
    ],
  ])('are too few where %s', (_, group, nodes) => {
    expect(obstacleInNodes(group, nodes)).toBe('MinSize is 1, and only 1 of 2 nodes are Ready and take pods');
  });
});
