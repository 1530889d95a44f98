import {
  byInstanceId,
  hasBegun,
  type Leaver,
  placesOf,
  queueOf,
  type Turn,
  type TurnInput,
} from './places.ts';

export interface UnseenInput extends TurnInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** All of the groups, the one that asks among them. */
  readonly members: readonly Leaver[];
}

/** Long enough for a pass to see that there is a place, and to mark its Node. */
const spanMilliseconds = 10_000;

/** When the span that is under way began, in epoch milliseconds: who began in those before has its mark since then. */
export const spanBeganAt = (now: number): number => now - (now % spanMilliseconds);

/**
 * Whether it is the turn of one that runs and leaves by advice: it waits on no hook, so that nobody sees it before its Node
 * is marked, and it comes behind all that are seen. All of one event would take the same place at the same moment; so the
 * members share out the time: in each span only as many may begin as there are places. Where there is a place for everyone
 * there is one span, and no waiting.
 */
export function turnUnseen(input: UnseenInput): Turn {
  if (hasBegun(input)) return { mayLeave: true };
  const round = roundOf(input);
  if (round === undefined) return { mayLeave: false, ahead: queueOf(input).length };
  const spans = Math.floor(input.now / spanMilliseconds);
  const spansAway = (round.mine - (spans % round.spans) + round.spans) % round.spans;
  if (spansAway === 0) return { mayLeave: true };
  const startsAt = (spans + spansAway) * spanMilliseconds;
  return { mayLeave: false, ahead: 0, afterSeconds: (startsAt - input.now) / 1000 };
}

/**
 * The spans after which everyone has had one, and which of them belongs to the one that asks; undefined without any place for
 * it. The places of the cluster are shared alike by the groups, which take turns where there are more of them than places.
 */
function roundOf(input: UnseenInput): { readonly spans: number; readonly mine: number } | undefined {
  const places = placesOf(input);
  for (const leaver of queueOf(input)) places.take(leaver);
  const unseen = membersUnseen(input);
  const asking = unseen.find(({ instanceId }) => instanceId === input.instanceId);
  if (asking === undefined) return undefined;
  const { autoScalingGroupName } = asking;
  const inCluster = places.leftInCluster();
  const inGroup = Math.min(places.leftInGroup(autoScalingGroupName), inCluster);
  if (inGroup <= 0) return undefined;

  const groups = [...new Set(unseen.map((member) => member.autoScalingGroupName))].toSorted();
  const group = unseen.filter((member) => member.autoScalingGroupName === autoScalingGroupName);
  const atOnce = Math.min(inGroup, Math.max(1, Math.floor(inCluster / groups.length)));
  const turns = Math.ceil(groups.length / inCluster);
  const myTurn = Math.floor(groups.indexOf(autoScalingGroupName) / inCluster);
  return {
    spans: Math.ceil(group.length / atOnce) * turns,
    mine: Math.floor(group.indexOf(asking) / atOnce) * turns + myTurn,
  };
}

/** Who neither has begun nor waits, in their order. */
function membersUnseen({ begun, waiting, members }: UnseenInput): readonly Leaver[] {
  const seen = new Set([...begun, ...waiting].map(({ instanceId }) => instanceId));
  return members.filter(({ instanceId }) => !seen.has(instanceId)).toSorted(byInstanceId);
}
