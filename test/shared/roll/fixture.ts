import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import type { RollMember } from '../../../shared/roll/member.ts';
import { defaultBounds, type LaunchedFrom, type Roll } from '../../../shared/roll/roll.ts';

export const startedAt = Date.parse('2026-11-29T08:00:00Z');
const templateId = 'lt-0123456789abcdef0';

/** A version of the template, with an image of its own. */
export const version = (number: number): LaunchedFrom => ({
  templateId,
  version: number,
  imageId: `ami-0000000${number}`,
});

/** A roll of these groups to version 2, of all that was launched before 08:00. */
export const rollOf = (groups: readonly string[] = ['workers'], more: Partial<Roll> = {}): Roll => ({
  ...defaultBounds,
  name: 'june',
  groups: groups.map((autoScalingGroupName) => ({ autoScalingGroupName, target: { main: version(2) } })),
  criterion: { kind: 'changed' },
  startedAt,
  wanted: 'run',
  skipBlocked: false,
  canary: 0,
  ...more,
});

export const instance = (number: number): string => `i-${String(number).padStart(17, '0')}`;

/** A Ready Node of an instance. */
export const nodeOf = (instanceId: string, more: Partial<Node> = {}): Node => ({
  metadata: { name: `node-${instanceId}`, uid: `uid-${instanceId}`, resourceVersion: '7', ...more.metadata },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}`, ...more.spec },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    ...more.status,
  },
});

/** An instance of version 1 that was launched an hour before the roll. */
export function oldMember(number: number, more: Partial<RollMember> = {}): RollMember {
  const instanceId = instance(number);
  return {
    instanceId,
    autoScalingGroupName: 'workers',
    lifecycleState: 'InService',
    availabilityZone: 'eu-west-1a',
    healthy: true,
    launch: { launchedAt: startedAt - 3_600_000, ...launchOf(1) },
    node: nodeOf(instanceId),
    ...more,
  };
}

/** An instance of version 2 that was launched a minute after the begin of the roll. */
export const newMember = (number: number, more: Partial<RollMember> = {}): RollMember =>
  oldMember(number, { launch: { launchedAt: startedAt + 60_000, ...launchOf(2) }, ...more });

/** The mirror pod of an API server that kubeadm has set up on a node. */
export const apiServerOn = (nodeName: string, { ready = true } = {}): Pod => ({
  metadata: {
    name: `kube-apiserver-${nodeName}`,
    namespace: 'kube-system',
    uid: `uid-kube-apiserver-${nodeName}`,
    labels: { component: 'kube-apiserver' },
    annotations: { 'kubernetes.io/config.mirror': '2f1d' },
  },
  spec: { nodeName, containers: [] },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

export const launchOf = (number: number) => ({
  imageId: version(number).imageId,
  template: { templateId, version: number },
});

export function groupOf(
  members: readonly RollMember[],
  { role = 'worker', tags = {}, ...more }: Partial<AutoScalingGroup> & { readonly role?: string } = {},
): AutoScalingGroup {
  const name = more.autoScalingGroupName ?? 'workers';
  const instances = members
    .filter(({ autoScalingGroupName }) => autoScalingGroupName === name)
    .map(({ launch: _launch, node: _node, autoScalingGroupName: _name, ...member }): GroupMember => member);
  return {
    minSize: 0,
    maxSize: 10,
    desiredCapacity: instances.filter(({ lifecycleState }) => !lifecycleState.includes('Terminating')).length,
    instances,
    targetGroupArns: [],
    retainsAbandoned: false,
    ...more,
    autoScalingGroupName: name,
    tags: { 'kubernetes.io/cluster/demo': 'owned', 'drover.dev/role': role, ...tags },
  };
}
