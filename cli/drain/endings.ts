import { type DrainProgress, describeWaitingPod } from '../../shared/draining/drain-progress.ts';
import type { ActionAnswer } from '../../shared/draining/evict-pods.ts';
import type { DrainPlan } from '../../shared/draining/plan-drain.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';

/** The ways in which a drain ends without being done; undefined while there is hope. */

/** As with kubectl, one pod that refuses ends it before the first eviction. */
export function refusal(plan: DrainPlan): CliError | undefined {
  if (plan.refused.length === 0 || plan.actions.length > 0) return undefined;
  const pods = plan.refused.map((pod) => `  ${oneLine(`${pod.namespace}/${pod.name}: ${pod.reason}`)}`);
  return new CliError(
    `nothing was evicted, because ${pods.length === 1 ? 'this pod refuses' : 'these pods refuse'}:\n${pods.join('\n')}`,
    exitCodes.refused,
  );
}

/** Without a deadline nothing will ever move a pod whose eviction is answered so; the others are waited for first. */
export function hopelessness(
  { waitingFor }: DrainProgress,
  answers: ReadonlyMap<string, ActionAnswer>,
): CliError | undefined {
  const isHopeless = waitingFor.every(({ pod }) =>
    ['refused', 'several-budgets'].includes(answers.get(pod.uid)?.kind ?? ''),
  );
  if (waitingFor.length === 0 || !isHopeless) return undefined;
  return new CliError(`these pods cannot be evicted:\n${list(waitingFor)}`, exitCodes.failed);
}

/** `--timeout` is over and something is left. */
export function lateness({ waitingFor }: DrainProgress): CliError | undefined {
  if (waitingFor.length === 0) return undefined;
  return new CliError(
    `the timeout has passed, and these pods are left:\n${list(waitingFor)}`,
    exitCodes.timedOut,
  );
}

/** Ctrl-C was pressed. */
export const unfinished = (nodeName: string): string => {
  const name = oneLine(nodeName);
  return `node ${name} is not drained: drover drain ${name} goes on, and kubectl uncordon ${name} lets pods on it again`;
};

const list = (pods: DrainProgress['waitingFor']): string =>
  pods.map((pod) => `  ${oneLine(describeWaitingPod(pod))}`).join('\n');
