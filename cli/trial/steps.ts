import { messageOf } from '../../shared/base/message-of.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import { oneLine } from '../plain-text.ts';
import { cleanUp } from './clean-up.ts';
import { awaitDrain } from './drain-step.ts';
import { takeHold } from './hold-step.ts';
import { awaitJoin } from './join-step.ts';
import { startPods } from './pods-step.ts';
import { type StepName, type StepResult, stepText, type TrialResult } from './text.ts';
import { isLeaving, memberOf, type Trial } from './trial-state.ts';
import { StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

export interface TrialOptions {
  readonly image: string;
  /** How long the node may take to join, and to be drained. */
  readonly timeoutSeconds: number;
  readonly json: boolean;
}

/** Takes the steps of a trial, and cleans up whatever has become of them, also after Ctrl-C. */
export async function runTrial(
  trial: Trial,
  options: TrialOptions,
  context: InterruptibleContext,
): Promise<TrialResult> {
  const { stderr, stdout, interrupted } = context;
  const steps: StepResult[] = [];
  await takeSteps(trial, options, {
    ...context,
    onResult: (result) => {
      steps.push(result);
      if (!options.json) stdout.write(stepText(result));
    },
  });
  if (interrupted.aborted)
    stderr.write(`cleaning up; Ctrl-C again ends at once, and then ${trial.access.cleanUpCommand} goes on\n`);
  const left = await cleanUp(trial, {
    ...context,
    say: sayer('clean', options, context),
    interrupted: new AbortController().signal,
  });
  const { cluster, group, instanceId = null } = trial.record();
  return { cluster, group, instanceId, steps, left, notes: await changesIn(trial) };
}

const sayer =
  (step: string, { json }: TrialOptions, { stdout }: InterruptibleContext) =>
  (text: string): void => {
    if (!json) stdout.write(`${step.padEnd(7)}${oneLine(text)}\n`);
  };

interface StepsContext extends InterruptibleContext {
  readonly onResult: (result: StepResult) => void;
}

/** Each step needs the one before it. The first that fails, and Ctrl-C, end them. */
async function takeSteps(trial: Trial, options: TrialOptions, context: StepsContext): Promise<void> {
  const { timeoutSeconds } = options;
  const take = stepTaker(options, context);
  const held = await take('hold', async (waiting) => {
    await prepare(trial, options, waiting);
    return await takeHold(trial, waiting);
  });
  if (!held) return;
  const { instanceId } = held;
  const joined = await take('join', (waiting) => awaitJoin(trial, { instanceId, timeoutSeconds }, waiting));
  if (!joined) return;
  const { node } = joined;
  if (!(await take('pods', (waiting) => startPods(trial, node, waiting)))) return;
  await take('drain', (waiting) => awaitDrain(trial, { instanceId, node, timeoutSeconds }, waiting));
}

type Work<Result> = (waiting: WaitContext) => Promise<Result>;

/** Runs a step and reports it; undefined if it has failed or was interrupted. */
function stepTaker(options: TrialOptions, context: StepsContext) {
  const { clock, interrupted, onResult } = context;
  return async <Result extends { readonly reason: string }>(
    step: StepName,
    work: Work<Result>,
  ): Promise<Result | undefined> => {
    const begunAt = clock.now();
    const end = (passed: boolean, reason: string): void =>
      onResult({ step, passed, seconds: Math.round((clock.now() - begunAt) / 1000), reason });
    try {
      endIfInterrupted(context, 'the trial ends here');
      const result = await work({ ...context, say: sayer(step, options, context) });
      end(true, result.reason);
      return result;
    } catch (error) {
      if (!interrupted.aborted) end(false, messageOf(error));
      return undefined;
    }
  };
}

/** Admission may refuse pods while a namespace is seconds old: its ServiceAccount, quotas and security constraints come a moment later. */
const admissionSeconds = 30;

const prepare = ({ access }: Trial, { image }: TrialOptions, context: WaitContext): Promise<true> =>
  until(
    {
      withinSeconds: admissionSeconds,
      everySeconds: 2,
      look: async () => {
        try {
          await access.trials.prepare(image);
          return undefined;
        } catch (error) {
          if (error instanceof StepFailure) throw error;
          return messageOf(error);
        }
      },
      judge: (refusal): Verdict<true> => (refusal === undefined ? { done: true } : { waits: refusal }),
    },
    context,
  );

/** What has changed in the group and is not the trial's, for the operator to judge. */
async function changesIn({ access, record }: Trial): Promise<readonly string[]> {
  const { group: name, desiredCapacity, instanceIds, instanceId } = record();
  try {
    const group = await access.readGroup(name);
    if (!group) return [`the group ${name} is gone`];
    const own = memberOf(group, instanceId);
    const gone = instanceIds.filter((id) => {
      const member = memberOf(group, id);
      return !member || isLeaving(member);
    });
    return [
      ...(own ? [`${own.instanceId} is still ${own.lifecycleState}`] : []),
      ...(group.desiredCapacity === desiredCapacity
        ? []
        : [`the desired capacity is ${group.desiredCapacity}, and was ${desiredCapacity}`]),
      ...(gone.length === 0
        ? []
        : [`${gone.slice(0, 3).join(', ')} left meanwhile: look at the activities of the group`]),
    ];
  } catch (error) {
    return [`how the group is now could not be read: ${messageOf(error)}`];
  }
}
