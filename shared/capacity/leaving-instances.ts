import {
  type AutoScalingGroup,
  findTerminatingHook,
  type GroupMember,
  type LifecycleHook,
  roleOf,
} from '../groups/group.ts';
import {
  isPastTerminatingWait,
  isRetained,
  isTerminating,
  isTerminatingWait,
  waitsToLeave,
} from '../groups/lifecycle-state.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import { type Pause, pauseOf } from '../passes/pause.ts';

/** A Node that is marked by Drover as leaving. */
export interface MarkedNode {
  readonly name: string;
  readonly mark: LeavingMark;
}

/** A leaving instance, as Auto Scaling and the cluster describe it. */
export interface LeavingInstance {
  readonly instanceId: string;
  /** Undefined if the Node is not marked yet, or if the API server could not be read. */
  readonly node?: MarkedNode;
  /** Undefined if the instance is not in a managed group, or if Auto Scaling could not be read. */
  readonly member?: GroupMember;
  readonly group?: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'retainsAbandoned' | 'tags'>;
  /** Drover's hook on that group. */
  readonly hook?: LifecycleHook;
  /** The group's other hooks on terminating instances, if there are any: the instance may wait on one after Drover's hook. */
  readonly otherHooks?: readonly string[];
  readonly pause?: Pause;
}

export interface LeavingInput {
  readonly groups: readonly AutoScalingGroup[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly nodes: readonly MarkedNode[];
  readonly leavingHookName: string;
}

/** The leaving instances: instances of managed groups that are terminating, and instances whose Node is marked by Drover. */
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

/** What a leaving instance waits for, from its mark and its lifecycle state. Pure. */
export function waitsFor(instance: LeavingInstance): string {
  const { member } = instance;
  if (instance.node && member === undefined) return marked(instance.node.mark);
  if (member === undefined) return 'unknown';
  if (isRetained(member)) return 'the operator, because its group retains it';
  if (isPastTerminatingWait(member)) return 'EC2 to terminate it';
  if (instance.pause) return 'the end of the pause';
  if (instance.node?.mark.bootBefore !== undefined && !waitsToLeave(member))
    return 'its new root volume, and its kubelet to join again';
  if (instance.node) return marked(instance.node.mark);
  if (isTerminatingWait(member)) return withoutMark(instance);
  return 'Auto Scaling';
}

function withoutMark({ hook, otherHooks = [], group }: LeavingInstance): string {
  const names = otherHooks.join(', ');
  if (hook)
    return names
      ? `its first pass, the concurrency limit, or another hook: ${names}`
      : 'its first pass, or the concurrency limit';
  return group && roleOf(group) === 'etcd'
    ? 'its member to leave etcd: see drover etcd status'
    : `a hook that is not Drover’s${names && `: ${names}`}`;
}

function marked({ waitingFor, andMore = 0, missingSince }: LeavingMark): string {
  if (missingSince !== undefined) return 'confirmation that its instance is gone';
  if (waitingFor.length === 0) return 'its pods to end and its volumes to detach';
  return `${waitingFor.join(', ')}${andMore > 0 ? ` and ${andMore} more` : ''}`;
}
