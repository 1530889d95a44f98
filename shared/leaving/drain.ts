import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { failedAnswer } from '../draining/cluster-failure.ts';
import { lookUpDaemonSets } from '../draining/daemon-sets.ts';
import {
  type DrainProgress,
  describeWaitingPod,
  drainProgress,
  type WaitingPod,
} from '../draining/drain-progress.ts';
import { type ActionAnswer, evictPods, scattered } from '../draining/evict-pods.ts';
import { type DrainPlan, type DrainPlanInput, planDrain } from '../draining/plan-drain.ts';
import { claimsOf } from '../draining/pod-facts.ts';
import { automatedDefaults } from '../draining/pod-filters.ts';
import type { Consistency } from '../nodes/cluster.ts';
import { isKubeletSilent } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { completeAction } from '../passes/hook-action.ts';
import { again, done, type Facts, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { isOutcome, type Noted } from '../passes/steps.ts';
import type { Drained, Leaving, LeavingContext, Marked, Planned, Started } from './context.ts';
import { evictionHolds } from './eviction-holds.ts';
import { keepCordoned } from './keep-cordoned.ts';
import type { LeavePlan } from './leave-plan.ts';
import { updateMark } from './mark-and-cordon.ts';
import { notifyBeforeRound, notifyHeld, notifyOfNode, recordEvent } from './notify.ts';
import { release } from './release-instance.ts';

type State = Pick<Started, 'subject'> & Leaving & Planned & Marked;

/** Evicts the pods that may go now, and waits until all pods are gone or the drain has failed at its deadline. */
export async function drain(
  context: LeavingContext,
  known: Started & State,
): Promise<Outcome | (Drained & Marked & Partial<Noted>)> {
  const [listed, { note, ...cordoned }] = await Promise.all([
    planRound(context, known),
    keepCordoned(context, known),
  ]);
  const state = { ...known, ...cordoned };
  if (note === undefined) return await drainRound(context, state, listed);
  // A list from before the cordon does not show what has landed on the node since.
  const answer = await drainRound(context, state, await planRound(context, state));
  return isOutcome(answer)
    ? { ...answer, reason: `${note}; ${answer.reason}` }
    : { ...answer, notes: [...answer.notes, note] };
}

async function drainRound(
  context: LeavingContext,
  known: Started & State,
  planned: PlannedRound,
): Promise<Outcome | (Drained & Marked & Noted)> {
  const state = { ...known, plan: { ...known.plan, deadlines: planned.deadlines } };
  // Sent before pods are deleted: after a pass that is killed in between, the next one sends it again.
  const { sent: sentBefore, podsForced } = await notifyBeforeRound(context, state, planned.plan);
  const round = await carryOutRound(context, state.node, planned);
  const hasClaims = round.podsLeft.some((pod) => claimsOf(pod).length > 0);
  if (round.plan.complete) {
    const { podsLeft, held } = round;
    const { mark } = state;
    // The pass of an empty node goes on at once: with a slow API server, one more write of the mark leaves no time to complete the hook.
    const notes = [...state.notes, ...noteOfReturned(round.plan)];
    if (sentBefore.length === 0) return { node: state.node, mark, podsLeft, notes };
    const updated = await updateMark(context, { ...state, held, hasClaims, told: sentBefore });
    return { node: updated, mark, podsLeft, notes };
  }
  const told = [...sentBefore, ...(await notifyHeld(context, state, round.held))];
  // If the API server did not respond to any write, the pass does not spend time on another one.
  const kinds = [...round.answers.values()].map(({ kind }) => kind);
  const isAnswered =
    !kinds.includes('no-answer') || kinds.some((kind) => kind !== 'no-answer' && kind !== 'postponed');
  const node = isAnswered
    ? await updateMark(context, {
        ...state,
        held: round.held,
        hasClaims,
        told,
        restarted: planned.restarted,
        podsForced,
      })
    : state.node;
  if (hasDrainFailed(context.clock.now(), state, round))
    return await endFailedDrain(context, { ...state, node }, round);
  const { autoScalingGroupName } = state.instance;
  return again(secondsToWait(round), round.summary, { autoScalingGroupName, ...round.facts });
}

/** Names the pods that have devices which their kubelet does not release, such as after their driver has left. */
function noteOfDevices(waitingFor: readonly WaitingPod[]): readonly string[] {
  const late = waitingFor.filter(({ keepsDevices }) => keepsDevices);
  if (late.length === 0) return [];
  return [`${podCount(late.length)} after the grace: ${late.slice(0, 3).map(describeWaitingPod).join(', ')}`];
}

/** Names the pods that the drain does not wait for, because they came back in spite of the cordon. */
function noteOfReturned({ pods }: DrainPlan): readonly string[] {
  const returned = pods.filter(({ reason }) => reason.startsWith('came after'));
  if (returned.length === 0) return [];
  const named = returned.slice(0, 3).map(({ namespace, name }) => `${namespace}/${name}`);
  const more = returned.length > named.length ? ` and ${returned.length - named.length} more` : '';
  return [`${podCount(returned.length)} left that came after the cordon: ${named.join(', ')}${more}`];
}

const firstCheckSeconds = 5;

/** The first check after an eviction comes early, because most pods end long before their grace period does. */
const secondsToWait = ({ facts, nextCheckAfterSeconds }: DrainRound): number =>
  Math.min(nextCheckAfterSeconds, facts.podsEvicted === 0 ? longestWaitSeconds : firstCheckSeconds);

interface PlannedRound {
  readonly plan: DrainPlan;
  readonly input: DrainPlanInput;
  /** The deadlines of the leave, with the deadline of the last pod that asks to finish. */
  readonly deadlines: LeavePlan['deadlines'];
  /** What an operator should know about the annotations and the rollouts of the pods. */
  readonly notes: readonly string[];
  /** The UIDs of the Deployments whose rollout was restarted in this round. */
  readonly restarted: readonly string[];
}

/**
 * Lists the pods of the node and plans the round. While budgets hold pods, before the deadline, the list may come from the watch cache.
 * Only a consistent list, read after the cordon, can show that the node is empty.
 */
async function planRound(context: LeavingContext, state: State): Promise<PlannedRound> {
  const { until } = state.mark;
  const { deadline } = state.plan.deadlines;
  const isLate = context.clock.now() >= Math.max(deadline, until === undefined ? 0 : Date.parse(until));
  const isHeld = state.mark.waitingFor.length > 0 && !isLate;
  const first = await planFrom(context, state, isHeld ? 'cached' : 'consistent');
  return first.plan.complete && isHeld ? await planFrom(context, state, 'consistent') : first;
}

async function planFrom(
  context: LeavingContext,
  state: State,
  consistency: Consistency,
): Promise<PlannedRound> {
  const { cluster, clock } = context;
  const {
    node,
    settings,
    plan: { deadlines, since, onFailure },
  } = state;
  const { ignoreDaemonSets, deleteEmptyDirData, force } = settings;
  const pods = await cluster.listPodsOnNode(nameOfNode(node), consistency);
  const { holds, notes, restarted } = await evictionHolds(context, state, pods);
  const now = clock.now();
  const input: DrainPlanInput = {
    now,
    ...deadlines,
    since,
    pods,
    options: { ...automatedDefaults, ignoreDaemonSets, deleteEmptyDirData, force },
    daemonSets: await lookUpDaemonSets(pods, (namespace, name) => cluster.lookUpDaemonSet(namespace, name)),
    kubelet: isKubeletSilent(node) ? 'silent' : 'answers',
    deleteRefusedAtDeadline: onFailure === 'CONTINUE',
    holds,
  };
  const plan = planDrain(input);
  const left = [...plan.waitingFor, ...plan.refused].flatMap(({ uid }) => holds.get(uid)?.deadline ?? []);
  return {
    plan,
    input,
    deadlines: { ...deadlines, deadline: Math.max(deadlines.deadline, ...left) },
    notes,
    restarted,
  };
}

/** The result of one round over the pods of a node. */
interface DrainRound {
  readonly plan: DrainPlan;
  readonly answers: ReadonlyMap<string, ActionAnswer>;
  readonly nextCheckAfterSeconds: number;
  /** Pods that do not go by themselves, each with what holds it. */
  readonly held: readonly string[];
  /** All pods that are still listed, including those that the drain does not wait for. */
  readonly podsLeft: readonly Pod[];
  readonly summary: string;
  readonly facts: Facts;
}

async function carryOutRound(
  context: LeavingContext,
  node: Node,
  { plan, input, notes }: PlannedRound,
): Promise<DrainRound> {
  const { oneAtATime } = context;
  const answers = await evictPods(plan.actions, context.cluster, {
    oneAtATime,
    answerOf: failedAnswer,
    startAt: scattered(input.now),
  });
  const progress = drainProgress(plan, answers, input);
  const { deleted } = progress.counts;
  const unmarked = withoutCondition(answers);
  if (deleted > 0)
    recordEvent(context, node, {
      type: 'Warning',
      reason: 'DrainForced',
      message: `so that the node is empty at its deadline: ${podCount(deleted)} deleted past the budgets, each with the grace that fits${unmarked}`,
    });
  const { summary, ...described } = describeProgress(plan, progress);
  const whole = [`${summary}${unmarked}`, ...notes].join('; ');
  return { plan, answers, podsLeft: input.pods, ...described, summary: whole };
}

/** Without the condition, a Job counts the end of its pod as a failure. */
function withoutCondition(answers: DrainRound['answers']): string {
  const reasons = [...answers.values()].flatMap((answer) =>
    answer.kind === 'deleted' && answer.unmarked !== undefined ? [answer.unmarked] : [],
  );
  return reasons[0] === undefined
    ? ''
    : `; ${podCount(reasons.length)} without the condition DisruptionTarget: ${reasons[0]}`;
}

function describeProgress(
  plan: DrainPlan,
  { waitingFor, counts, nextCheckAfterSeconds }: DrainProgress,
): Pick<DrainRound, 'nextCheckAfterSeconds' | 'held' | 'summary' | 'facts'> {
  const held = waitingFor
    .filter(({ pod, held: isHeld }) => isHeld || pod.verdict === 'refuse')
    .map(describeWaitingPod);
  const { refused } = plan;
  const isRefused = refused.length + counts.refused > 0;
  const heldPods =
    held.length > 0 ? `${held.length} of them held: ${held.slice(0, 3).join(', ')}` : 'none of them held';
  return {
    nextCheckAfterSeconds,
    held,
    summary: [
      `waits for ${podCount(waitingFor.length)}, ${heldPods}`,
      ...noteOfDevices(waitingFor),
      ...noteOfReturned(plan),
    ].join('; '),
    facts: {
      ...(isRefused ? { waitsFor: 'refused' } : causeOf(waitingFor)),
      podsRefused: refused.length,
      podsEvicted: counts.evicted,
      podsForced: counts.deleted,
      podsWaitedFor: waitingFor.length,
      podsHeld: held.length,
      ...budgetsOf(waitingFor),
    },
  };
}

/** Bounds the log line: a node has pods of hundreds of workloads, and the first budgets are those that an operator looks at. */
const mostBudgets = 10;

/** The budgets that hold pods. `drover report` adds up for how long each one held nodes: a pass remembers nothing, so each line names them. */
function budgetsOf(waitingFor: readonly WaitingPod[]): Facts {
  const budgets = [...new Set(waitingFor.flatMap((pod) => pod.budgets ?? []))].toSorted();
  return budgets.length === 0 ? {} : { budgets: budgets.slice(0, mostBudgets) };
}

/** What holds the pods that do not go by themselves; a budget or a refusal comes before what ends by itself. */
function causeOf(waitingFor: readonly WaitingPod[]): Facts {
  const held = waitingFor.filter((one) => one.held).map(({ pod }) => pod);
  if (held.length === 0) return { waitsFor: 'pods' };
  if (held.every(({ byRollout }) => byRollout)) return { waitsFor: 'rollout' };
  return held.every(({ heldUntil }) => heldUntil !== undefined)
    ? { waitsFor: 'annotation' }
    : { waitsFor: 'budget' };
}

const podCount = (count: number): string => (count === 1 ? 'one pod' : `${count} pods`);

/** A kubelet may report an end this late. It is more than the next check allows (2 s), because a failed drain is not resumed. */
const lateReportMilliseconds = 5000;

/** How long after the deadline a failed deletion is retried, because the API server may be the cause. */
const retryMilliseconds = 60_000;

/**
 * Whether the limit is reached, or the deadline has passed and no pod that was asked to stop is still within its grace period. A pod that
 * ended between the list and its deletion counts as gone: the next list shows it.
 */
function hasDrainFailed(
  now: number,
  { plan: { deadlines }, node }: { readonly plan: LeavePlan; readonly node: Node },
  { plan: { waitingFor, refused }, answers }: DrainRound,
): boolean {
  const left = waitingFor.filter((pod) => answers.get(pod.uid)?.kind !== 'gone');
  if (left.length === 0 && refused.length === 0) return false;
  if (now >= deadlines.limit) return true;
  if (now < deadlines.deadline) return false;
  const mayRetry = now < deadlines.deadline + retryMilliseconds;
  // A node that could not be cordoned gets new pods, so the drain would never end.
  const takesNewPods = node.spec?.unschedulable !== true;
  if (takesNewPods && !mayRetry) return true;
  return !left.some((pod) => {
    const kind = answers.get(pod.uid)?.kind;
    const endsAt = pod.terminatesAt ?? -Infinity;
    const mayStillBeDeleted = isUnsettled(kind) && mayRetry;
    return (
      kind === 'deleted' || kind === 'evicted' || mayStillBeDeleted || now < endsAt + lateReportMilliseconds
    );
  });
}

const isUnsettled = (kind: ActionAnswer['kind'] | undefined): boolean =>
  kind === 'throttled' || kind === 'no-answer' || kind === 'postponed';

/** Ends a failed drain as the plan says. If the group retains abandoned instances, ABANDON keeps this one for an operator. */
async function endFailedDrain(context: LeavingContext, state: State, round: DrainRound): Promise<Outcome> {
  const { node, plan, group, instance } = state;
  const message = `the drain has failed at its deadline, ${round.summary}`;
  recordEvent(context, node, { type: 'Warning', reason: 'DrainFailed', message });
  await notifyOfNode(context, {
    kind: 'drain-failed',
    node,
    mark: state.mark,
    what: `is not drained by its deadline: ${round.summary}`,
    autoScalingGroupName: instance.autoScalingGroupName,
    reasons: round.held,
  });
  const { autoScalingGroupName } = instance;
  const facts = { autoScalingGroupName, ...round.facts, drainFailed: true };
  // AWS does not document what ABANDON does to the replacement of a root volume.
  if (plan.onFailure === 'CONTINUE' || state.keepsNode) {
    const outcome = await release(context, state);
    return { ...outcome, reason: `${message}; ${outcome.reason}`, facts: { ...outcome.facts, ...facts } };
  }
  context.memory.forget(instance.instanceId);
  if (!plan.action) return done(`${message}; the instance is not handed back, as set`, facts);
  await completeAction(context.autoScaling, plan.action, 'ABANDON');
  const end = group.retainsAbandoned ? 'the group retains the instance' : 'it terminates';
  return done(`${message}; abandoned, as set: ${end}`, facts);
}
