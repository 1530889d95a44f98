import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { type DrainProgress, drainProgress } from '../../shared/draining/drain-progress.ts';
import { type ActionAnswer, evictPods, scattered } from '../../shared/draining/evict-pods.ts';
import type { DrainPlan } from '../../shared/draining/plan-drain.ts';
import type { DrainOptions } from '../../shared/draining/pod-filters.ts';
import { isUnavailable } from '../../shared/kubernetes/status.ts';
import type { Consistency, DrainCluster } from '../../shared/nodes/cluster.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import { watchDepartures } from './departures.ts';
import { hopelessness, lateness, refusal, unfinished } from './endings.ts';
import { look } from './look.ts';
import { lookUpOnce } from './look-up-once.ts';
import { patiently } from './patience.ts';
import { planWarnings } from './plan-warnings.ts';
import type { Progress } from './progress.ts';

export interface DrainRequest {
  readonly cluster: DrainCluster;
  readonly node: Node;
  readonly options: DrainOptions;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly deadline?: number;
  /** Epoch milliseconds at which to give up. */
  readonly giveUpAt?: number;
  readonly progress: Progress;
}

export type DrainTimer = Pick<InterruptibleContext, 'clock' | 'pause' | 'interrupted'>;

/** The operator watches: list the node's pods every two seconds, however long their grace periods are. */
const longestPauseSeconds = 2;

/** What the next read must include. */
interface Step {
  readonly done: boolean;
  readonly consistency: Consistency;
  readonly afterSeconds: number;
}

/**
 * Drains a node and returns when nothing is left to wait for.
 *
 * @throws CliError `interrupted` after Ctrl-C, `refused` when a pod refuses, `timedOut` at `giveUpAt`, `failed` when a pod can never be evicted.
 * @throws KubernetesError when the API server says no, or is away for more than a minute.
 */
export async function drainNode(request: DrainRequest, machine: DrainTimer): Promise<void> {
  await cordon(request);
  const takeStep = stepper(request, machine);
  let step: Step = { done: false, consistency: 'consistent', afterSeconds: 0 };
  while (!step.done) {
    const { consistency } = step;
    step = await patiently(() => takeStep(consistency), { request, machine });
    if (!step.done)
      await unlessInterrupted(
        machine.pause(step.afterSeconds * 1000),
        machine,
        unfinished(nameOfNode(request.node)),
      );
  }
}

type TakeStep = (consistency: Consistency) => Promise<Step>;

/** Reads the node once, requests what is due, and returns what comes next. */
function stepper(request: DrainRequest, { clock }: DrainTimer): TakeStep {
  const { cluster, progress } = request;
  const noticeDepartures = watchDepartures((pod) => progress.left(pod));
  const lookUpDaemonSet = lookUpOnce((namespace, name) => cluster.lookUpDaemonSet(namespace, name));
  let hasWarned = false;
  const warnOfLosses = (plan: DrainPlan): void => {
    if (!hasWarned && plan.refused.length === 0) for (const loss of planWarnings(plan)) progress.warned(loss);
    hasWarned = true;
  };
  return async (consistency) => {
    const plan = await look({
      ...request,
      cluster: { ...cluster, lookUpDaemonSet },
      nodeName: nameOfNode(request.node),
      now: clock.now(),
      consistency,
      withBudgets: false,
      warn: (message) => progress.warned(message),
    });
    noticeDepartures(plan);
    warnOfLosses(plan);
    if (plan.complete) return confirm(consistency);
    return nextStep(await act(plan, request, clock.now()));
  };
}

/** The watch cache may be behind: a drain is done when a consistent list shows it. */
const confirm = (consistency: Consistency): Step => ({
  done: consistency === 'consistent',
  consistency: 'consistent',
  afterSeconds: 0,
});

const nextStep = ({ waitingFor, nextCheckAfterSeconds }: DrainProgress): Step => ({
  done: false,
  consistency: waitingFor.length === 0 ? 'consistent' : 'cached',
  afterSeconds: Math.min(longestPauseSeconds, nextCheckAfterSeconds),
});

async function act(plan: DrainPlan, request: DrainRequest, now: number): Promise<DrainProgress> {
  const { cluster, progress, deadline, giveUpAt } = request;
  progress.planned(plan);
  endIf(refusal(plan));
  const unanswered: Error[] = [];
  const answers = await evictPods(plan.actions, cluster, {
    startAt: scattered(now),
    answerOf: (error) => {
      if (!isUnavailable(error)) return undefined;
      unanswered.push(error);
      return { kind: 'no-answer', message: error.message };
    },
    onAnswer: (action, answer) => {
      progress.answered(action, answer);
      if (answer.kind === 'deleted' && answer.unmarked !== undefined)
        progress.warned(`deleted without the condition DisruptionTarget: ${answer.unmarked}`);
    },
  });
  const [failure] = unanswered;
  if (failure && [...answers.values()].every(hasNoAnswer)) throw failure;
  const state = drainProgress(plan, answers, { now, since: request.since });
  progress.waiting(state.waitingFor);
  if (deadline === undefined) endIf(hopelessness(state, answers));
  if (giveUpAt !== undefined && now >= giveUpAt) endIf(lateness(state));
  return state;
}

/** If no call has an answer, the API server may be away: the command waits for it for a minute. */
const hasNoAnswer = ({ kind }: ActionAnswer): boolean => kind === 'no-answer' || kind === 'postponed';

function endIf(ending: Error | undefined): void {
  if (ending) throw ending;
}

/** As with kubectl, a cordon that fails is reported and does not stop the drain. */
async function cordon({ cluster, node, progress }: DrainRequest): Promise<void> {
  const name = nameOfNode(node);
  if (node.spec?.unschedulable) return progress.cordoned(name);
  try {
    await cluster.patchNode(name, { spec: { unschedulable: true } });
    progress.cordoned(name);
  } catch (error) {
    progress.warned(`${name} is not cordoned: ${messageOf(error)}`);
  }
}
