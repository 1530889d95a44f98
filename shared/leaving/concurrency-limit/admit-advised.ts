import {
  type Admission,
  type AdmissionInput,
  byInstanceId,
  freeSlots,
  hasStarted,
  type LeavingInstance,
  notStarted,
} from './free-slots.ts';

export interface AdvisedInput extends AdmissionInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** All instances of the groups, the one that asks among them. */
  readonly members: readonly LeavingInstance[];
}

/** Long enough for a pass to see a free slot and to mark its Node. */
const spanMilliseconds = 10_000;

/** When the current span began, in epoch milliseconds: instances that started in earlier spans are marked since then. */
export const spanBeganAt = (now: number): number => now - (now % spanMilliseconds);

/**
 * Whether an instance that runs, and leaves on advice, may start to leave. It waits on no hook, so no list shows it before its
 * Node is marked, and all instances of one event would take the same slot at once. So waiting instances come first, and the
 * other members share the time: each of them has a span of ten seconds, and each span has as many members as slots are free.
 * With a slot for every member there is one span and no waiting.
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
 * The number of spans after which every member has had one, and the span of the instance that asks; undefined where no slot is
 * free for it. The groups share the cluster's slots evenly, and rotate where there are more groups than slots.
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

  const groups = [...new Set(candidates.map((member) => member.autoScalingGroupName))].toSorted();
  const group = candidates.filter((member) => member.autoScalingGroupName === autoScalingGroupName);
  const atOnce = Math.min(inGroup, Math.max(1, Math.floor(inCluster / groups.length)));
  const rounds = Math.ceil(groups.length / inCluster);
  const myRound = Math.floor(groups.indexOf(autoScalingGroupName) / inCluster);
  return {
    spans: Math.ceil(group.length / atOnce) * rounds,
    mine: Math.floor(group.indexOf(asking) / atOnce) * rounds + myRound,
  };
}

/** Members that have neither started nor wait, in the order of their ids. */
function unlistedMembers({ started, waiting, members }: AdvisedInput): readonly LeavingInstance[] {
  const listed = new Set([...started, ...waiting].map(({ instanceId }) => instanceId));
  return members.filter(({ instanceId }) => !listed.has(instanceId)).toSorted(byInstanceId);
}
