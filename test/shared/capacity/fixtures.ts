import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { byInstance, type ObservedNodes } from '../../../shared/capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';

export const instanceId = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;

/** A worker group of cluster `drover` with instances 1, 2, ... in these states. */
export const groupWith = (
  states: readonly string[],
  settings: Partial<AutoScalingGroup> = {},
): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 10,
  desiredCapacity: states.filter((state) => state === 'InService').length,
  instances: states.map((lifecycleState, index) => ({
    instanceId: instanceId(index + 1),
    lifecycleState,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
  ...settings,
});

export interface NodeSettings {
  readonly ready?: boolean;
  readonly leaving?: boolean;
  readonly name?: string;
  readonly createdAt?: string;
  readonly waitingFor?: readonly string[];
}

/** The Node of instance `number`, Ready and staying unless said otherwise. */
export const nodeOf = (number: number, settings: NodeSettings = {}): Node => ({
  metadata: {
    name: settings.name ?? `node-${number}`,
    creationTimestamp: settings.createdAt ?? '2026-11-21T08:00:00Z',
    ...(settings.leaving && { annotations: { 'drover.dev/leaving': leavingMark(number, settings) } }),
  },
  spec: {
    providerID: `aws:///eu-west-1a/${instanceId(number)}`,
    ...(settings.leaving && { unschedulable: true }),
  },
  status: { conditions: [{ type: 'Ready', status: settings.ready === false ? 'Unknown' : 'True' }] },
});

const leavingMark = (number: number, { waitingFor = [] }: NodeSettings): string =>
  formatLeavingMark({
    cause: 'terminating',
    instanceId: instanceId(number),
    since: '2026-11-21T08:00:00Z',
    renewedAt: '2026-11-21T08:00:00Z',
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: [...waitingFor],
  });

export const seen = (...nodes: readonly Node[]): ObservedNodes => ({
  status: 'seen',
  byInstance: byInstance(nodes),
});

export const unknown: ObservedNodes = { status: 'unknown', reason: 'the API server did not answer' };
