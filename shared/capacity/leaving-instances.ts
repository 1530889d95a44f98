import {
  type AutoScalingGroup,
  findTerminatingHook,
  type GroupMember,
  type LifecycleHook,
} from '../groups/group.ts';
import { isTerminating } from '../groups/lifecycle-state.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import { type Pause, pauseOf } from '../passes/pause.ts';

/** A Node that carries Drover's mark. */
export interface MarkedNode {
  readonly name: string;
  readonly mark: LeavingMark;
}

/** An instance that leaves, as far as Auto Scaling and the cluster say. */
export interface LeavingInstance {
  readonly instanceId: string;
  /** Absent where the Node bears no mark yet, or the cluster could not be asked. */
  readonly node?: MarkedNode;
  /** Absent for an instance that is in no managed group, or where Auto Scaling could not be asked. */
  readonly member?: GroupMember;
  readonly group?: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'retainsAbandoned' | 'tags'>;
  /** Drover's hook on that group. */
  readonly hook?: LifecycleHook;
  /** The group's other hooks on terminating instances: one may hold the instance after Drover's. Absent where there is none. */
  readonly otherHooks?: readonly string[];
  readonly pause?: Pause;
}

export interface LeavingInput {
  readonly groups: readonly AutoScalingGroup[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly nodes: readonly MarkedNode[];
  readonly leavingHookName: string;
}

/** The leaving instances: those that terminate in a managed group, and those whose Node carries Drover's mark. */
export function findLeavingInstances(input: LeavingInput): readonly LeavingInstance[] {
  const nodes = new Map(input.nodes.map((node) => [node.mark.instanceId, node]));
  const inGroups = input.groups.flatMap((group) => {
    const hooks = input.hooks.get(group.autoScalingGroupName) ?? [];
    const ours = findTerminatingHook(hooks, input.leavingHookName);
    const otherHooks = hooks
      .filter((hook) => hook.transition === 'terminating' && hook !== ours)
      .map(({ lifecycleHookName }) => lifecycleHookName);
    const pause = pauseOf(group.tags);
    return group.instances
      .filter((member) => isTerminating(member) || nodes.has(member.instanceId))
      .map((member) => ({
        instanceId: member.instanceId,
        ...nodeIn(nodes, member.instanceId),
        member,
        group,
        ...(ours && { hook: ours }),
        ...(otherHooks.length > 0 && { otherHooks }),
        ...(pause && { pause }),
      }));
  });
  const members = new Set(
    input.groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)),
  );
  const elsewhere = input.nodes.filter(({ mark }) => !members.has(mark.instanceId));
  return [...inGroups, ...elsewhere.map((node) => ({ instanceId: node.mark.instanceId, node }))];
}

const nodeIn = (
  nodes: ReadonlyMap<string, MarkedNode>,
  instanceId: string,
): { readonly node?: MarkedNode } => {
  const node = nodes.get(instanceId);
  return node ? { node } : {};
};
