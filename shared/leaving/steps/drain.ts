import { again, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { endFailedDrain, hasDrainFailed } from '../drain-failure.ts';
import { carryOutRound, type DrainRound, planDrainRound } from '../drain-round.ts';
import { updateMark } from '../mark-node.ts';
import type { Drained, Leaving, Marked, Planned, Started } from '../state.ts';
import { tellForced, tellHeld } from '../tell-drain.ts';
import { claimsOf } from '../volumes.ts';

const firstCheckSeconds = 5;

/** Evicts the pods that may go now, and waits until all pods are gone or the drain has failed at its deadline. */
export async function drain(
  context: LeavingContext,
  state: Started & Leaving & Planned & Marked,
): Promise<Outcome | (Drained & Pick<Marked, 'node'>)> {
  const planned = await planDrainRound(context, state);
  // Before pods are deleted: a pass that is killed in between tells it again.
  const { told: toldBefore, podsForced } = await tellForced(context, state, planned);
  const round = await carryOutRound(context, state, planned);
  const hasClaims = round.podsLeft.some((pod) => claimsOf(pod).length > 0);
  if (round.complete) {
    const { podsLeft, held } = round;
    // An empty node goes on at once: on a slow API server a pass that writes the mark once more has no time left to complete.
    if (toldBefore.length === 0) return { node: state.node, podsLeft };
    return { node: await updateMark(context, { ...state, held, hasClaims, told: toldBefore }), podsLeft };
  }
  const told = [...toldBefore, ...(await tellHeld(context, state, round))];
  // The mark is a write as well: where those get no answer, the pass spends no more time on them.
  const isAnswered = [...round.answers.values()].every(({ kind }) => kind !== 'no-answer');
  const node = isAnswered
    ? await updateMark(context, { ...state, held: round.held, hasClaims, told, podsForced })
    : state.node;
  if (hasDrainFailed(context.clock.now(), state, round))
    return await endFailedDrain(context, { ...state, node }, round);
  return again(secondsToWait(round), round.summary, round.facts);
}

/** The first check after an eviction comes early, since most pods end long before their grace does. */
const secondsToWait = ({ facts, nextCheckAfterSeconds }: DrainRound): number =>
  Math.min(nextCheckAfterSeconds, facts.podsEvicted === 0 ? longestWaitSeconds : firstCheckSeconds);
