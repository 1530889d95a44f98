import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import {
  describeAnnotation,
  disruptionHolds,
  unreadAnnotations,
} from '../draining/disruption-annotations.ts';
import type { PodHold } from '../draining/plan-drain.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import type { Leaving, LeavingContext, Marked, Planned } from './context.ts';
import { restartRollouts } from './restart-rollouts.ts';

type State = Pick<Leaving, 'settings'> & Planned & Marked;

/** The pods that are left alone for now. */
export interface EvictionHolds {
  /** By the UID of the pod; also those that have ended. */
  readonly holds: ReadonlyMap<string, PodHold>;
  /** What an operator should know about annotations of pods, and about rollouts. */
  readonly notes: readonly string[];
  /** The UIDs of the Deployments whose rollout was restarted just now. */
  readonly restarted: readonly string[];
}

/**
 * Finds the pods that ask to finish, and those that a rollout replaces, which it restarts if that is due. If EC2 takes the instance at a fixed
 * time, or its host fails, there is no time for either.
 */
export async function evictionHolds(
  context: LeavingContext,
  state: State,
  pods: readonly Pod[],
): Promise<EvictionHolds> {
  const { mustHurry, latestStart = Infinity } = state.plan;
  const now = context.clock.now();
  if (mustHurry && now < latestStart) return { holds: new Map(), notes: [], restarted: [] };
  const mayFinish = isDisruption(state);
  const finishing = mayFinish ? finishingPods(state, pods) : new Map<string, PodHold>();
  const rollouts = await restartRollouts(context, state, { pods, finishing });
  return {
    holds: new Map([...finishing, ...rollouts.holds]),
    notes: [...(mayFinish ? unreadAnnotations(pods) : []), ...rollouts.notes],
    restarted: rollouts.restarted,
  };
}

/** Whether pods that ask to finish are waited for: on a node that a roll replaces, or that leaves on EC2's advice. */
function isDisruption({ plan, node, mark }: State): boolean {
  const isOfRoll = mark.ofRoll || typeof readRollingMark(node.metadata?.annotations) === 'object';
  return isOfRoll || plan.cause === 'rebalance';
}

/**
 * The pods that ask to finish. Each is waited for as long as its annotation, the timeout of the group and that of the roll say, but no longer
 * than leaves the drain timeout before the limit of the hook. It is then evicted, with the whole drain timeout for its budget.
 */
function finishingPods(
  { settings, node, plan: { since, deadlines, latestStart = Infinity } }: State,
  pods: readonly Pod[],
): ReadonlyMap<string, PodHold> {
  const asked = disruptionHolds(pods, { since, timeoutSeconds: settings.annotationTimeoutSeconds });
  return new Map(
    asked.map((hold) => {
      const until = Math.min(hold.until, latestStart, rollEndsAnnotations(node));
      const end = Math.max(deadlines.deadline, until + settings.drainTimeoutSeconds * 1000);
      const deadline = Math.min(deadlines.limit, end);
      return [hold.uid, { until, deadline, why: describeAnnotation({ ...hold, until }) }];
    }),
  );
}

/** The roll has honoured annotations before it marked the Node: the drain does not begin their time again. */
function rollEndsAnnotations({ metadata }: Node): number {
  const mark = readRollingMark(metadata?.annotations);
  const until = typeof mark === 'object' ? mark.annotationsUntil : undefined;
  return until === undefined ? Infinity : Date.parse(until);
}
