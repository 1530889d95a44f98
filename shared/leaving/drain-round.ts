import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { failedAnswer } from '../draining/cluster-failure.ts';
import { lookUpDaemonSets } from '../draining/daemon-sets.ts';
import { automatedDefaults } from '../draining/drain-options.ts';
import type { DrainPlan, DrainPlanInput } from '../draining/drain-plan.ts';
import { type DrainProgress, describeWaitingPod, drainProgress } from '../draining/drain-progress.ts';
import { type ActionAnswer, evictPods } from '../draining/evict-pods.ts';
import { planDrain } from '../draining/plan-drain.ts';
import type { Consistency } from '../nodes/cluster.ts';
import { isKubeletSilent } from '../nodes/node-condition.ts';
import type { Facts } from '../passes/outcome.ts';
import type { LeavingContext } from './context.ts';
import { recordEvent } from './record-event.ts';
import type { Leaving, Marked, Planned } from './state.ts';

type State = Leaving & Planned & Marked;

/** The result of one round over the pods of a node. */
export interface DrainRound {
  /** A consistent list, read after the cordon, shows no pod that the node waits for. */
  readonly complete: boolean;
  readonly nextCheckAfterSeconds: number;
  /** Pods that do not go by themselves, each with what holds it. */
  readonly held: readonly string[];
  /** All pods that are still listed, waited for or not. */
  readonly podsLeft: readonly Pod[];
  readonly plan: DrainPlan;
  readonly answers: ReadonlyMap<string, ActionAnswer>;
  readonly summary: string;
  readonly facts: Facts;
}

/** What a round will do, and the pods that it was planned from. */
export interface PlannedRound {
  readonly plan: DrainPlan;
  readonly input: DrainPlanInput;
}

/**
 * Lists the node's pods, and plans. While budgets hold pods, before the deadline, the list may come from the watch cache.
 * Only a consistent list, read after the cordon, can show that the node is empty.
 */
export async function planDrainRound(context: LeavingContext, state: State): Promise<PlannedRound> {
  const isLate = context.clock.now() >= state.plan.deadlines.deadline;
  const isHeld = state.mark.waitingFor.length > 0 && !isLate;
  const first = await planRound(context, state, isHeld ? 'cached' : 'consistent');
  return first.plan.complete && isHeld ? await planRound(context, state, 'consistent') : first;
}

/** Evicts and deletes as planned. */
export async function carryOutRound(
  context: LeavingContext,
  { node }: Pick<State, 'node'>,
  { plan, input }: PlannedRound,
): Promise<DrainRound> {
  const { oneAtATime } = context;
  const answers = await evictPods(plan.actions, context.cluster, { oneAtATime, answerOf: failedAnswer });
  const progress = drainProgress(plan, answers, input);
  reportDeletions(context, node, progress);
  return { ...describeProgress(plan, progress), answers, podsLeft: input.pods };
}

async function planRound(
  { cluster, clock }: LeavingContext,
  { node, settings, plan: { deadlines, since, onFailure } }: State,
  consistency: Consistency,
): Promise<PlannedRound> {
  const { ignoreDaemonSets, deleteEmptyDirData, force } = settings;
  const pods = await cluster.listPodsOnNode(node.metadata?.name ?? '', consistency);
  const input: DrainPlanInput = {
    now: clock.now(),
    ...deadlines,
    since,
    pods,
    options: { ...automatedDefaults, ignoreDaemonSets, deleteEmptyDirData, force },
    daemonSets: await lookUpDaemonSets(pods, (namespace, name) => cluster.lookUpDaemonSet(namespace, name)),
    kubelet: isKubeletSilent(node) ? 'silent' : 'answers',
    deleteRefusedAtDeadline: onFailure === 'CONTINUE',
  };
  return { plan: planDrain(input), input };
}

function describeProgress(
  plan: DrainPlan,
  { waitingFor, counts, nextCheckAfterSeconds }: DrainProgress,
): Omit<DrainRound, 'answers' | 'podsLeft'> {
  const held = waitingFor
    .filter(({ pod, held: isHeld }) => isHeld || pod.verdict === 'refuse')
    .map(describeWaitingPod);
  const podsRefused = plan.refused.length;
  return {
    complete: plan.complete,
    nextCheckAfterSeconds,
    held,
    plan,
    summary: `waits for ${podCount(waitingFor.length)}, ${describeHeld(held)}`,
    facts: {
      waitsFor: podsRefused + counts.refused > 0 ? 'refused' : held.length > 0 ? 'budget' : 'pods',
      podsRefused,
      podsEvicted: counts.evicted,
      podsForced: counts.deleted,
      podsWaitedFor: waitingFor.length,
      podsHeld: held.length,
    },
  };
}

const podCount = (count: number): string => (count === 1 ? 'one pod' : `${count} pods`);

const describeHeld = (held: readonly string[]): string =>
  held.length > 0 ? `${held.length} of them held: ${held.slice(0, 3).join(', ')}` : 'none of them held';

function reportDeletions(context: LeavingContext, node: Node, { counts: { deleted } }: DrainProgress): void {
  if (deleted === 0) return;
  recordEvent(context, node, {
    type: 'Warning',
    reason: 'DrainForced',
    message: `so that the node is empty at its deadline: ${podCount(deleted)} deleted past the budgets, each with the grace that fits`,
  });
}
