import { type AutoScalingGroup, type GroupMember, roleOf } from '../groups/group.ts';
import type { ObservedNode, ObservedNodes } from './observed-nodes.ts';

/** The Node of an instance, found by its providerID; `unknown` if the Nodes could not be listed. */
export type MemberNode =
  | ({ readonly status: 'found' } & ObservedNode)
  | { readonly status: 'none' }
  | { readonly status: 'unknown'; readonly reason: string };

/** An instance of a group with its Node. */
export interface Member extends GroupMember {
  readonly phase: Phase;
  readonly node: MemberNode;
  /** Members of etcd need not be Nodes. */
  readonly needsNode: boolean;
}

/** Counts of a group's instances by phase, and of the Nodes of those in service. */
export interface Counts {
  readonly instances: {
    readonly pending: number;
    readonly inService: number;
    readonly terminating: number;
    readonly other: number;
  };
  /** Each instance in service that needs a Node is in one of the four counts; unknown if the API server does not respond. */
  readonly nodes:
    | {
        readonly status: 'seen';
        readonly ready: number;
        readonly notReady: number;
        readonly leaving: number;
        /** In service without the Node that it needs: it has not joined, or its Node was deleted. */
        readonly missing: number;
      }
    | { readonly status: 'unknown'; readonly reason: string };
}

/** Joins the instances of a group with their Nodes. */
export const membersOf = (group: AutoScalingGroup, nodes: ObservedNodes): readonly Member[] =>
  group.instances.map((instance) => memberOf(group, instance, nodes));

/** Joins one instance of a group with its Node. */
export const memberOf = (group: AutoScalingGroup, instance: GroupMember, nodes: ObservedNodes): Member => ({
  ...instance,
  needsNode: roleOf(group) !== 'etcd',
  phase: phaseOf(instance.lifecycleState),
  node: nodeOf(instance.instanceId, nodes),
});

function nodeOf(instanceId: string, nodes: ObservedNodes): MemberNode {
  if (nodes.status === 'unknown') return nodes;
  const node = nodes.byInstance.get(instanceId);
  return node ? { status: 'found', ...node } : { status: 'none' };
}

/** Whether the member is in service and its Node, if it needs one, is Ready and not leaving. */
export function serves({ phase, node, needsNode }: Member): boolean {
  if (phase !== 'in-service') return false;
  return node.status === 'found' ? node.ready && !node.leaving : !needsNode && node.status === 'none';
}

/** Counts the members of a group. */
export function countMembers(members: readonly Member[], nodes: ObservedNodes): Counts {
  const inPhase = (phase: Phase): number => members.filter((member) => member.phase === phase).length;
  return {
    instances: {
      pending: inPhase('pending'),
      inService: inPhase('in-service'),
      terminating: inPhase('terminating'),
      other: inPhase('standby') + inPhase('other'),
    },
    nodes: nodes.status === 'unknown' ? nodes : countNodes(members),
  };
}

function countNodes(members: readonly Member[]): Counts['nodes'] {
  const inService = members.filter(({ phase }) => phase === 'in-service');
  const found = inService.map(({ node }) => node).filter((node) => node.status === 'found');
  const staying = found.filter((node) => !node.leaving);
  const ready = staying.filter((node) => node.ready).length;
  return {
    status: 'seen',
    ready,
    notReady: staying.length - ready,
    leaving: found.length - staying.length,
    missing: inService.filter(({ node, needsNode }) => needsNode && node.status === 'none').length,
  };
}

/** The meaning of a lifecycle state for the size of a group. */
type Phase = 'pending' | 'in-service' | 'terminating' | 'standby' | 'other';

/**
 * Reads a lifecycle state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). Instances in standby,
 * detached, or returned to a warm pool do not count towards the desired capacity.
 */
export function phaseOf(lifecycleState: string): Phase {
  if (lifecycleState === 'InService') return 'in-service';
  if (/^Pending(?::|$)/.test(lifecycleState)) return 'pending';
  // The instance counts towards the desired capacity and will be in service again.
  if (/^(?:ReplacingRootVolume(?::|$)|RootVolumeReplaced$)/.test(lifecycleState)) return 'pending';
  if (/^Terminat(?:ing|ed)(?::|$)/.test(lifecycleState)) return 'terminating';
  if (/^(?:Entering)?Standby$/.test(lifecycleState)) return 'standby';
  return 'other';
}
