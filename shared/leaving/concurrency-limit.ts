import type { Node } from 'kubernetes-types/core/v1.d.ts';
import {
  type AutoScalingGroup,
  type GroupInstance,
  type GroupMember,
  leavesOneAtATime,
  roleOf,
  unitsOf,
} from '../groups/group.ts';
import { readLeavingSettings } from '../groups/group-settings.ts';
import { isInService, isTerminatingWait } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import type { LeavingContext } from './context.ts';

/** An instance that leaves or wants to leave, and its group. */
export interface LeavingInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

export interface AdmissionInput {
  readonly instanceId: string;
  /** Instances whose Node is marked. Each of them occupies a slot. */
  readonly started: readonly LeavingInstance[];
  /** All instances in Terminating:Wait, whether started or not. */
  readonly waiting: readonly LeavingInstance[];
  readonly maxInGroup: (autoScalingGroupName: string) => number;
  readonly maxInCluster: number;
  /** The same for groups that share the slots of one of them. Defaults to the name: each group has its own. */
  readonly slotsOf?: (autoScalingGroupName: string) => string;
}

export type Admission =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly ahead: number;
      /** Those ahead of it fit into the limits at once, so its turn comes when they have started. */
      readonly isNext?: boolean;
      /** When it may be admitted, if that is known. */
      readonly afterSeconds?: number;
    };

/** How many instances may leave at once. */
export type Limits = Pick<AdmissionInput, 'maxInGroup' | 'maxInCluster' | 'slotsOf'>;

const ownSlots = (autoScalingGroupName: string): string => autoScalingGroupName;

/**
 * The limits that the tags of the groups and the settings of the function set. All groups of control planes share one slot, and all of etcd:
 * with a group in each zone, their instances still form one quorum.
 */
export function limitsOf(
  { defaults, maxLeavingPerCluster }: Pick<LeavingContext['settings'], 'defaults' | 'maxLeavingPerCluster'>,
  groups: readonly AutoScalingGroup[],
): Limits {
  const maxima = new Map(
    groups.map((group) => [
      group.autoScalingGroupName,
      // A group without a role may be a control plane that has lost it.
      leavesOneAtATime(group) || roleOf(group) === undefined
        ? 1
        : readLeavingSettings(group.tags, defaults).settings.maxLeaving,
    ]),
  );
  // The name of a group contains no colon.
  const shared = new Map(
    groups
      .filter(leavesOneAtATime)
      .map((group) => [group.autoScalingGroupName, `role:${roleOf(group)}`] as const),
  );
  return {
    maxInGroup: (name) => maxima.get(name) ?? defaults.maxLeaving,
    maxInCluster: maxLeavingPerCluster,
    slotsOf: (name) => shared.get(name) ?? name,
  };
}

interface FreeSlots {
  /** Returns false if no slot is free for the instance. */
  take(instance: LeavingInstance): boolean;
  leftInGroup(autoScalingGroupName: string): number;
  leftInCluster(): number;
}

/** The slots that the started instances do not occupy. */
export function freeSlots({
  started,
  maxInGroup,
  maxInCluster,
  slotsOf = ownSlots,
}: AdmissionInput): FreeSlots {
  const inGroup = new Map<string, number>();
  let inCluster = 0;
  const occupy = ({ autoScalingGroupName: name }: LeavingInstance): void => {
    inGroup.set(slotsOf(name), (inGroup.get(slotsOf(name)) ?? 0) + 1);
    inCluster += 1;
  };
  const leftInGroup = (name: string): number => maxInGroup(name) - (inGroup.get(slotsOf(name)) ?? 0);
  const leftInCluster = (): number => maxInCluster - inCluster;
  for (const instance of started) occupy(instance);
  return {
    leftInGroup,
    leftInCluster,
    take: (instance) => {
      if (leftInCluster() <= 0 || leftInGroup(instance.autoScalingGroupName) <= 0) return false;
      occupy(instance);
      return true;
    },
  };
}

export const hasStarted = ({ instanceId, started }: AdmissionInput): boolean =>
  started.some((instance) => instance.instanceId === instanceId);

/** Waiting instances that have not started, in the order of their ids. */
export function notStarted({ started, waiting }: AdmissionInput): readonly LeavingInstance[] {
  const startedIds = new Set(started.map(({ instanceId }) => instanceId));
  return waiting.filter(({ instanceId }) => !startedIds.has(instanceId)).toSorted(byInstanceId);
}

/** `localeCompare` is too slow when a thousand passes sort a thousand ids. Ids are plain ASCII. */
export const byInstanceId = (one: LeavingInstance, other: LeavingInstance): number =>
  one.instanceId < other.instanceId ? -1 : Number(one.instanceId > other.instanceId);

/**
 * Whether an instance that waits on our hook may start to leave. Free slots go to waiting instances in the order of their ids. Every
 * pass computes the same result from the same lists, so no shared counter is needed.
 */
export function admitWaiting(input: AdmissionInput): Admission {
  if (hasStarted(input)) return { admitted: true };
  const slots = freeSlots(input);
  const ahead: LeavingInstance[] = [];
  for (const instance of notStarted(input)) {
    const admitted = slots.take(instance);
    if (instance.instanceId === input.instanceId)
      return admitted
        ? { admitted }
        : { admitted, ahead: ahead.length, isNext: isNext(instance, ahead, input) };
    if (!admitted) ahead.push(instance);
  }
  return { admitted: true };
}

function isNext(
  { autoScalingGroupName }: LeavingInstance,
  ahead: readonly LeavingInstance[],
  { maxInGroup, maxInCluster, slotsOf = ownSlots }: AdmissionInput,
): boolean {
  const slots = slotsOf(autoScalingGroupName);
  const inGroup = ahead.filter((one) => slotsOf(one.autoScalingGroupName) === slots);
  return inGroup.length < maxInGroup(autoScalingGroupName) && ahead.length < maxInCluster;
}

export interface AdvisedInput extends AdmissionInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** All instances of the groups, including the one that wants to leave. */
  readonly members: readonly LeavingInstance[];
}

/** Long enough for a pass to see a free slot and to mark its Node. */
const spanMilliseconds = 10_000;

/** When the current span began, in epoch milliseconds. Instances that started in earlier spans are marked by then. */
export const spanBeganAt = (now: number): number => now - (now % spanMilliseconds);

/**
 * Whether a running instance that leaves on EC2's advice may start to leave. It does not wait on a hook, so no list shows it before its
 * Node is marked, and all instances of one event would take the same slot at once. Therefore waiting instances come first, and the
 * other members share the time: each has a span of ten seconds, and a span has as many members as there are free slots. If there is
 * a slot for every member, there is one span and no waiting.
 */
export function admitAdvised(input: AdvisedInput): Admission {
  if (hasStarted(input)) return { admitted: true };
  const rotation = rotationOf(input);
  if (rotation === undefined) return { admitted: false, ahead: notStarted(input).length };
  const span = Math.floor(input.now / spanMilliseconds);
  const spansAway = (rotation.mine - (span % rotation.spans) + rotation.spans) % rotation.spans;
  if (spansAway === 0) return { admitted: true };
  const startsAt = (span + spansAway) * spanMilliseconds;
  return { admitted: false, ahead: 0, afterSeconds: (startsAt - input.now) / 1000 };
}

/**
 * The number of spans after which every member has had one, and the span of this instance; undefined if no slot is free for it.
 * The groups (those that share slots are one) share the slots of the cluster evenly, and rotate if there are more groups than slots.
 */
function rotationOf(input: AdvisedInput): { readonly spans: number; readonly mine: number } | undefined {
  const slots = freeSlots(input);
  for (const instance of notStarted(input)) slots.take(instance);
  const candidates = unlistedMembers(input);
  const asking = candidates.find(({ instanceId }) => instanceId === input.instanceId);
  if (asking === undefined) return undefined;
  const { autoScalingGroupName } = asking;
  const inCluster = slots.leftInCluster();
  const inGroup = Math.min(slots.leftInGroup(autoScalingGroupName), inCluster);
  if (inGroup <= 0) return undefined;

  const { slotsOf = ownSlots } = input;
  const own = slotsOf(autoScalingGroupName);
  const groups = [...new Set(candidates.map((member) => slotsOf(member.autoScalingGroupName)))].toSorted();
  const group = candidates.filter((member) => slotsOf(member.autoScalingGroupName) === own);
  const atOnce = Math.min(inGroup, Math.max(1, Math.floor(inCluster / groups.length)));
  const rounds = Math.ceil(groups.length / inCluster);
  const myRound = Math.floor(groups.indexOf(own) / inCluster);
  return {
    spans: Math.ceil(group.length / atOnce) * rounds,
    mine: Math.floor(group.indexOf(asking) / atOnce) * rounds + myRound,
  };
}

/** Members that neither have started nor wait, in the order of their ids. */
function unlistedMembers({ started, waiting, members }: AdvisedInput): readonly LeavingInstance[] {
  const listed = new Set([...started, ...waiting].map(({ instanceId }) => instanceId));
  return members.filter(({ instanceId }) => !listed.has(instanceId)).toSorted(byInstanceId);
}

/** The instances of a group by their ids. */
export const membersOf = oncePerKey(
  ({ autoScalingGroupName, instances }: AutoScalingGroup): ReadonlyMap<string, GroupInstance> =>
    new Map(instances.map((member) => [member.instanceId, { ...member, autoScalingGroupName }])),
);

/** The instances of a group in Terminating:Wait, in the order of their ids. */
export const waitingOf = oncePerKey((group: AutoScalingGroup): readonly GroupInstance[] =>
  [...membersOf(group).values()].filter(isTerminatingWait).toSorted(byInstanceId),
);

/** Many passes use the same group of up to a thousand instances: the first pass computes the value for all. */
function oncePerKey<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: compute(key) };
    known.set(key, entry);
    return entry.value;
  };
}

/** The Nodes that name instances of the group. */
export function nodesIn({ instances }: AutoScalingGroup, nodes: readonly Node[]): readonly Node[] {
  const members = new Set<string | undefined>(instances.map(({ instanceId }) => instanceId));
  return nodes.filter(({ spec }) => members.has(instanceIdOf(spec?.providerID)));
}

/**
 * How many more instances have to serve before this one may leave. It is 0 if all others that the desired capacity asks for serve, so
 * that at most one is missing at any time. Without an instance it is how many of the whole group are missing. Pure.
 */
export function missingReplacements({
  group,
  instanceId,
  nodes,
}: {
  readonly group: AutoScalingGroup;
  readonly instanceId?: string;
  readonly nodes: readonly Node[];
}): number {
  const nodeOf = new Map(nodes.map((node) => [instanceIdOf(node.spec?.providerID), node]));
  const serving = group.instances.filter(
    (member) => member.instanceId !== instanceId && serves(member, nodeOf.get(member.instanceId)),
  );
  const { weight = 1 } = group.instances.find((member) => member.instanceId === instanceId) ?? {};
  const own = instanceId === undefined ? 0 : weight;
  return Math.max(0, group.desiredCapacity - own - unitsOf(serving));

  function serves(member: GroupMember, node: Node | undefined): boolean {
    if (!isInService(member) || !member.healthy) return false;
    // A member of a dedicated etcd group need not run a kubelet.
    if (!node) return roleOf(group) === 'etcd';
    return isNodeReady(node) && readLeavingMark(node.metadata?.annotations) === undefined;
  }
}
