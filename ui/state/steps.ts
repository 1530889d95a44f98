import { needsNode } from './condition.ts';
import type { GroupView, InstanceView, NodeView } from './types.ts';

/** The steps of a leave or a join, and the one that it is at. */
export interface Steps {
  readonly names: readonly string[];
  /** Counted from zero. */
  readonly at: number;
}

const leavingSteps = ['Cordon', 'Pods leave', 'Volumes detach', 'Node deleted', 'EC2 terminates'] as const;
const joiningSteps = ['Boot', 'Certificate and Node', 'Ready', 'In service'] as const;
const memberSteps = ['Boot', 'Join etcd', 'In service'] as const;
const leavingMemberSteps = ['Leave etcd', 'EC2 terminates'] as const;

/** Undefined where the Node is unknown: the step follows from it. */
export function stepsOfLeaving(
  { lifecycleState, node, nodeUnknown }: InstanceView,
  group: Pick<GroupView, 'role'>,
): Steps | undefined {
  const waits = lifecycleState.endsWith(':Wait');
  if (!needsNode(group)) return { names: leavingMemberSteps, at: waits ? 0 : 1 };
  if (nodeUnknown) return undefined;
  return { names: leavingSteps, at: node ? stepOfDrain(node) : waits ? 3 : 4 };
}

/** Where the pods are unknown, those that Drover names as held count. */
function stepOfDrain({ leaving, pods }: NodeView): number {
  if (!leaving) return 0;
  const mustLeave =
    pods?.some(({ daemon, state }) => !daemon && state !== 'finished') ?? leaving.waitingFor.length > 0;
  return mustLeave ? 1 : 2;
}

/** Undefined where the Node is unknown. */
export function stepsOfJoining(
  { ec2State, node, nodeUnknown }: InstanceView,
  group: Pick<GroupView, 'role'>,
): Steps | undefined {
  if (!needsNode(group)) return { names: memberSteps, at: ec2State === 'pending' ? 0 : 1 };
  if (nodeUnknown) return undefined;
  return {
    names: joiningSteps,
    at: ec2State === 'pending' ? 0 : node === undefined ? 1 : node.ready ? 3 : 2,
  };
}
