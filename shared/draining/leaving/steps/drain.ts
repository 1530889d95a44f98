import { again, longestWaitSeconds, type Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { endFailedDrain, hasDrainFailed } from '../drain-failure.ts';
import { drainNews } from '../drain-news.ts';
import { type DrainRound, drainRound } from '../drain-round.ts';
import { updateMark } from '../mark-node.ts';
import type { Drained, Leaving, Marked, Planned, Started } from '../state.ts';
import { tell, tellLeaving } from '../tell.ts';
import { claimsOf } from '../volumes.ts';

const firstCheckSeconds = 5;

/** Evicts the pods that may go now, and waits until all pods are gone or the drain has failed at its deadline. */
export async function drain(
  context: LeavingContext,
  state: Started & Leaving & Planned & Marked,
): Promise<Outcome | (Drained & Pick<Marked, 'node'>)> {
  const round = await drainRound(context, state);
  // An empty node goes on at once: on a slow API server a pass that writes the mark once more has no time left to complete.
  if (round.complete) return { node: state.node, podsLeft: round.podsLeft };
  const hasClaims = round.podsLeft.some((pod) => claimsOf(pod).length > 0);
  const told = await tellNews(context, state, round);
  // The mark is a write as well: where those get no answer, the pass spends no more time on them.
  const isAnswered = [...round.answers.values()].every(({ kind }) => kind !== 'no-answer');
  const node = isAnswered
    ? await updateMark(context, { ...state, held: round.held, hasClaims, told })
    : state.node;
  if (hasDrainFailed(context.clock.now(), state, round))
    return await endFailedDrain(context, { ...state, node }, round);
  return again(secondsToWait(round), round.summary, round.facts);
}

/** Tells people what no pass before has told of this drain; answers what EventBridge has taken. */
async function tellNews(
  context: LeavingContext,
  state: Started & Leaving & Planned & Marked,
  { held, facts: { podsForced } }: DrainRound,
): Promise<readonly string[]> {
  const { clock, settings } = context;
  const {
    node,
    mark,
    instance: { autoScalingGroupName },
  } = state;
  const news = drainNews({
    now: clock.now(),
    mark,
    podsHeld: held.length,
    podsForced: Number(podsForced),
    heldAfterSeconds: settings.notifyHeldAfterSeconds,
  });
  const common = { node, mark, autoScalingGroupName, reasons: held };
  const what = {
    'drain-held': `still waits for held pods, the first is ${held[0]}`,
    'drain-forced': `is past its deadline: ${podsForced} pods are deleted past their budgets`,
  };
  const results = await Promise.all(
    news.map(async (kind) => {
      const isTold =
        kind === 'node-leaving'
          ? await tellLeaving(context, { ...state, autoScalingGroupName })
          : await tell(context, { ...common, kind, what: what[kind] });
      return isTold ? [kind] : [];
    }),
  );
  return results.flat();
}

/** The first check after an eviction comes early, since most pods end long before their grace does. */
const secondsToWait = ({ facts, nextCheckAfterSeconds }: DrainRound): number =>
  Math.min(nextCheckAfterSeconds, facts.podsEvicted === 0 ? longestWaitSeconds : firstCheckSeconds);
