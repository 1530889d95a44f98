import type { DrainAction } from '../draining/drain-plan.ts';
import type { LeavingContext } from './context.ts';
import { newsAfterRound, newsBeforeRound } from './drain-news.ts';
import type { DrainRound, PlannedRound } from './drain-round.ts';
import type { Leaving, Marked, Planned, Started } from './state.ts';
import { tell, tellLeaving } from './tell.ts';

type State = Started & Leaving & Planned & Marked;

/** What EventBridge has taken of it. */
type Told = readonly string[];

/**
 * Tells people what no pass before has told, before the round is carried out: that the node leaves, and that pods are deleted past their
 * budgets, by this round or by one that could not tell it.
 */
export async function tellForced(
  context: LeavingContext,
  state: State,
  { plan: { actions, complete } }: PlannedRound,
): Promise<{ readonly told: Told; readonly podsForced: number }> {
  const { node, mark, instance } = state;
  const { autoScalingGroupName } = instance;
  const deletions = actions.filter(({ kind }) => kind === 'delete');
  const podsForced = Math.max(deletions.length, mark.podsForced ?? 0);
  const results = await Promise.all(
    newsBeforeRound({ mark, podsForced, isEmpty: complete }).map(async (kind) => {
      const isTold =
        kind === 'node-leaving'
          ? await tellLeaving(context, { ...state, autoScalingGroupName })
          : await tell(context, {
              kind,
              node,
              mark,
              what: `has reached its deadline: ${podCount(podsForced)} deleted past the budgets, with the grace that fits`,
              autoScalingGroupName,
              reasons: deletions.map((one) => shownPod(one, mark)),
            });
      return isTold ? [kind] : [];
    }),
  );
  return { told: results.flat(), podsForced };
}

const podCount = (count: number): string => (count === 1 ? 'one pod is' : `${count} pods are`);

/** As the mark shows it, with what has held it until now. */
function shownPod({ pod }: DrainAction, { waitingFor }: Marked['mark']): string {
  const name = `${pod.namespace}/${pod.name}`;
  return waitingFor.find((line) => line.startsWith(`${name} `)) ?? name;
}

/** Tells people, once, that pods have been held for longer than the bound. */
export async function tellHeld(context: LeavingContext, state: State, { held }: DrainRound): Promise<Told> {
  const { node, mark, instance } = state;
  const heldAfterSeconds = context.settings.notifyHeldAfterSeconds;
  const news = newsAfterRound({ now: context.clock.now(), mark, podsHeld: held.length, heldAfterSeconds });
  if (news.length === 0) return [];
  const isTold = await tell(context, {
    kind: 'drain-held',
    node,
    mark,
    what: `still waits for held pods, the first is ${held[0]}`,
    autoScalingGroupName: instance.autoScalingGroupName,
    reasons: held,
  });
  return isTold ? news : [];
}
