import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Facts } from '../../lifecycle/outcome.ts';
import type { Consistency } from '../cluster.ts';
import { lookUpDaemonSets } from '../daemon-sets.ts';
import { automatedDefaults } from '../drain-options.ts';
import type { DrainPlan, DrainPlanInput } from '../drain-plan.ts';
import { type DrainProgress, describeWaitingPod, drainProgress } from '../drain-progress.ts';
import { type ActionAnswer, evictPods } from '../evict-pods.ts';
import { isKubeletSilent } from '../node-condition.ts';
import { planDrain } from '../plan-drain.ts';
import type { MarkedNode } from './marking.ts';
import { tell } from './tell.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingWorld } from './world.ts';

/** What one round over the pods of a node has come to. */
export interface DrainRound {
  /** Seen in a consistent list that is younger than the cordon: nothing is left that the node waits for. */
  readonly complete: boolean;
  readonly nextCheckAfterSeconds: number;
  /** Pods that do not leave by themselves, each with what holds it. */
  readonly held: readonly string[];
  /** Pods still listed, waited for or not. */
  readonly podsLeft: readonly Pod[];
  readonly plan: DrainPlan;
  readonly answers: ReadonlyMap<string, ActionAnswer>;
  readonly words: string;
  readonly facts: Facts;
}

/**
 * Lists the node's pods, plans, and carries the plan out. While budgets hold pods the list may come from the watch cache;
 * only a consistent one, read after the cordon, can say that the node is empty.
 */
export async function drainRound(
  world: LeavingWorld,
  terms: LeaveTerms,
  marked: MarkedNode,
): Promise<DrainRound> {
  const isHeld = marked.mark.waitingFor.length > 0;
  const first = await look(world, terms, {
    node: marked.node,
    consistency: isHeld ? 'cached' : 'consistent',
  });
  const { plan, input } =
    first.plan.complete && isHeld
      ? await look(world, terms, { node: marked.node, consistency: 'consistent' })
      : first;
  const answers = await evictPods(plan.actions, world.cluster, { oneAtATime: world.oneAtATime });
  const progress = drainProgress(plan, answers, input);
  await tellOfForce(world, marked.node, progress);
  return summarise({ plan, answers, progress, pods: input.pods });
}

interface Look {
  readonly plan: DrainPlan;
  readonly input: DrainPlanInput;
}

async function look(
  world: LeavingWorld,
  terms: LeaveTerms,
  { node, consistency }: { readonly node: Node; readonly consistency: Consistency },
): Promise<Look> {
  const pods = await world.cluster.listPodsOnNode(node.metadata?.name ?? '', consistency);
  const { settings, deadlines } = terms;
  const input: DrainPlanInput = {
    now: world.clock.now(),
    deadline: deadlines.deadline,
    limit: deadlines.limit,
    since: terms.since,
    pods,
    options: {
      ...automatedDefaults,
      ignoreDaemonSets: settings.ignoreDaemonSets,
      deleteEmptyDirData: settings.deleteEmptyDirData,
      force: settings.force,
    },
    daemonSets: await lookUpDaemonSets(pods, (namespace, name) =>
      world.cluster.lookUpDaemonSet(namespace, name),
    ),
    kubelet: isKubeletSilent(node) ? 'silent' : 'answers',
    deleteRefusedAtDeadline: settings.onFailure === 'CONTINUE',
  };
  return { plan: planDrain(input), input };
}

interface Settled {
  readonly plan: DrainPlan;
  readonly answers: ReadonlyMap<string, ActionAnswer>;
  readonly progress: DrainProgress;
  readonly pods: readonly Pod[];
}

function summarise({ plan, answers, progress, pods }: Settled): DrainRound {
  const { waitingFor, counts, nextCheckAfterSeconds } = progress;
  const held = waitingFor
    .filter(({ pod, held: refusedEviction }) => refusedEviction || pod.verdict === 'refuse')
    .map(describeWaitingPod);
  const refusedCount = plan.refused.length;
  const words = `waits for ${podsInWords(waitingFor.length)}, ${wayInWords(held)}`;
  return {
    complete: plan.complete,
    nextCheckAfterSeconds,
    held,
    podsLeft: pods,
    plan,
    answers,
    words,
    facts: {
      waitsFor: refusedCount + counts.refused > 0 ? 'refused' : held.length > 0 ? 'budget' : 'pods',
      podsRefused: refusedCount,
      podsEvicted: counts.evicted,
      podsForced: counts.deleted,
      podsWaitedFor: waitingFor.length,
      podsHeld: held.length,
    },
  };
}

const podsInWords = (count: number): string => (count === 1 ? 'one pod' : `${count} pods`);

const wayInWords = (held: readonly string[]): string =>
  held.length > 0 ? `${held.length} of them held: ${held.slice(0, 3).join(', ')}` : 'all on their way';

async function tellOfForce(world: LeavingWorld, node: Node, { counts }: DrainProgress): Promise<void> {
  if (counts.deleted === 0) return;
  await tell(world, node, {
    type: 'Warning',
    reason: 'DrainForced',
    message: `the deadline is here: ${podsInWords(counts.deleted)} deleted past the budgets, with the grace that fits`,
  });
}
