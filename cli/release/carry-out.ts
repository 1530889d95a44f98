import { messageOf } from '../../shared/base/message-of.ts';
import type { AutoScaling } from '../../shared/groups/auto-scaling.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import type { PlannedRelease } from './plan.ts';

/**
 * - `released`: at least one hook of Drover was completed;
 * - `ended`: its wait was over already;
 * - `held`: Auto Scaling knows no wait on Drover's hooks, and the instance still waits;
 * - `failed`: Auto Scaling refused.
 */
type ReleaseOutcome = 'released' | 'ended' | 'held' | 'failed' | 'not-done';

export interface ReleaseResult extends PlannedRelease {
  readonly outcome: ReleaseOutcome;
  /** The hooks that were completed. */
  readonly completed: readonly string[];
  readonly reason?: string;
}

interface ReleaseInput {
  readonly autoScaling: Pick<AutoScaling, 'complete' | 'describeInstance'>;
  readonly onResult: (result: ReleaseResult) => void;
  /** The command that goes on after Ctrl-C. */
  readonly command: string;
}

/** Completes the hooks of each planned wait, one instance after the other. One that fails does not keep the others waiting. */
export async function carryOutRelease(
  planned: readonly PlannedRelease[],
  input: ReleaseInput,
  context: InterruptibleContext,
): Promise<readonly ReleaseResult[]> {
  const results: ReleaseResult[] = [];
  for (const one of planned) {
    if (one.kind === 'complete')
      endIfInterrupted(
        context,
        `${results.filter(({ outcome }) => outcome === 'released').length} of ${planned.length} instances were released; ${input.command} goes on`,
      );
    const result = one.kind === 'complete' ? await releaseOne(one, input) : notDone(one);
    results.push(result);
    input.onResult(result);
  }
  return results;
}

export const notDone = (planned: PlannedRelease): ReleaseResult => ({
  ...planned,
  outcome: 'not-done',
  completed: [],
});

async function releaseOne(planned: PlannedRelease, { autoScaling }: ReleaseInput): Promise<ReleaseResult> {
  const { instanceId, autoScalingGroupName, hooks } = planned.wait;
  const completed: string[] = [];
  try {
    for (const { lifecycleHookName } of hooks) {
      const action = { instanceId, autoScalingGroupName, lifecycleHookName };
      if ((await autoScaling.complete(action, 'CONTINUE')) === 'completed') completed.push(lifecycleHookName);
    }
    if (completed.length > 0) return { ...planned, outcome: 'released', completed };
    return { ...planned, ...(await whyNone(planned, autoScaling)), completed };
  } catch (error) {
    return { ...planned, outcome: 'failed', completed, reason: messageOf(error) };
  }
}

/** No hook of Drover holds the instance: its wait has ended, or it waits on a hook of something else. */
async function whyNone(
  { wait }: PlannedRelease,
  autoScaling: Pick<AutoScaling, 'describeInstance'>,
): Promise<Pick<ReleaseResult, 'outcome' | 'reason'>> {
  const now = await autoScaling.describeInstance(wait.instanceId);
  if (now?.lifecycleState !== wait.lifecycleState)
    return { outcome: 'ended', reason: `its wait was over: it is ${now?.lifecycleState ?? 'gone'}` };
  const others = wait.otherHooks.length > 0 ? `: ${wait.otherHooks.join(', ')}` : '';
  return { outcome: 'held', reason: `it waits on a hook that is not Drover’s${others}` };
}
