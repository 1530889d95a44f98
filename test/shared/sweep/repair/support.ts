import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup, GroupMember } from '../../../../shared/groups/group.ts';

export const now = Date.UTC(2026, 0, 1, 12);
export const minutes = 60_000;
export const id = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;
export const ago = (milliseconds: number): string => new Date(now - milliseconds).toISOString();

export const condition = (
  type: string,
  status: string,
  lastTransitionTime: string | undefined = ago(60 * minutes),
): NodeCondition => ({ type, status, ...(lastTransitionTime && { lastTransitionTime }) });

/** The Node of an instance. It is Ready unless it has other conditions. */
export const nodeOf = (
  number: number,
  conditions: readonly NodeCondition[] = [],
  metadata: Node['metadata'] = {},
): Node => ({
  metadata: { name: `node-${number}`, creationTimestamp: ago(600 * minutes), ...metadata },
  spec: { providerID: `aws:///eu-west-1a/${id(number)}` },
  status: {
    conditions: [
      ...(conditions.some(({ type }) => type === 'Ready') ? [] : [condition('Ready', 'True')]),
      ...conditions,
    ],
  },
});

/** A Node that has not been Ready for this many minutes. */
export const silentNode = (number: number, forMinutes = 11, metadata: Node['metadata'] = {}): Node =>
  nodeOf(number, [condition('Ready', 'Unknown', ago(forMinutes * minutes))], metadata);

export const member = (number: number, about: Partial<GroupMember> = {}): GroupMember => ({
  instanceId: id(number),
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  healthy: true,
  ...about,
});

/** Ten workers in service whose group replaces them after ten minutes. */
export const workers = (about: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {
    'kubernetes.io/cluster/drover': 'owned',
    'drover.dev/role': 'worker',
    'drover.dev/repair': 'NotReady=10m',
    ...about.tags,
  },
  minSize: 0,
  maxSize: 100,
  desiredCapacity: 10,
  targetGroupArns: [],
  retainsAbandoned: false,
  instances: numbers(10).map((number) => member(number)),
  ...Object.fromEntries(Object.entries(about).filter(([key]) => key !== 'tags')),
});

/** 1, 2, ... */
export const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

/** This many Nodes, some of them replaced by others. */
export const nodesWith = (others: readonly Node[], count = 10): readonly Node[] => {
  const names = new Set(others.map(({ spec }) => spec?.providerID));
  const rest = numbers(count).map((number) => nodeOf(number));
  return [...others, ...rest.filter(({ spec }) => !names.has(spec?.providerID))];
};
