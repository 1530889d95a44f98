import { durationText } from '../../shared/base/duration.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { changedHold } from '../hold/text.ts';
import { trialHold } from './record.ts';
import { groupOf, newcomersIn, type Trial } from './trial-state.ts';
import { persist, StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

/** The hold ends by itself after this time, also if the trial is killed. */
export const holdSeconds = 900;
/** prewarm runs each minute, and EC2 may have no capacity. */
const launchSeconds = 600;
/** A hold that has ended counts for two more minutes. */
const restoreSeconds = 360;

const placeOf = ({ record }: Trial) => ({ autoScalingGroupName: record().group, name: trialHold });

export const endHold = async (trial: Trial): Promise<void> =>
  void (await trial.access.holds.end(placeOf(trial), { dryRun: false }));

/**
 * Makes a hold for one more node, waits until an instance is launched for it, and ends the hold: the node stays, and an autoscaler finds MinSize as
 * it was.
 */
export async function takeHold(
  trial: Trial,
  context: WaitContext,
): Promise<{ readonly instanceId: string; readonly reason: string }> {
  const { access, record } = trial;
  const { minSize } = await groupOf(trial);
  const nodes = record().desiredCapacity + 1;
  const begunAt = context.clock.now();
  const hold = { ...placeOf(trial), nodes, raiseMaxSize: false, end: { durationSeconds: holdSeconds } };
  await persist(() => trial.keep({ heldAt: new Date(begunAt).toISOString() }), context);
  const change = await persist(() => access.holds.create(hold, { dryRun: false, replace: true }), context);
  changedHold(change, hold, begunAt);
  const instanceId = await until(
    {
      withinSeconds: launchSeconds,
      look: () => groupOf(trial),
      judge: (group) => launchedIn(group, trial),
      advice: async () => (await access.holds.stateOf(placeOf(trial))).reason,
    },
    context,
  );
  const took = durationText((context.clock.now() - begunAt) / 1000);
  await persist(() => trial.keep({ instanceId }), context);
  await persist(() => endHold(trial), context);
  return {
    instanceId,
    reason: `a hold raised MinSize from ${minSize} to ${nodes}, and ${instanceId} was launched within ${took}`,
  };
}

/**
 * The instance that was launched for the hold: the only new one, which was not there before MinSize was raised. Pure.
 *
 * @throws StepFailure if something else scales the group, so that no instance is certainly the trial's.
 */
export function launchedIn(group: AutoScalingGroup, { record }: Pick<Trial, 'record'>): Verdict<string> {
  const { desiredCapacity } = record();
  const nodes = desiredCapacity + 1;
  const newcomers = newcomersIn(group, record());
  const isRaised = group.minSize >= nodes;
  const isTooEarly = !isRaised && (newcomers.length > 0 || group.desiredCapacity > desiredCapacity);
  if (newcomers.length > 1 || group.desiredCapacity > nodes || isTooEarly)
    throw new StepFailure(
      `something else scales the group: its desired capacity is ${group.desiredCapacity}, with ${newcomers.length} new instances and MinSize ${group.minSize}`,
    );
  const [newcomer] = newcomers;
  if (!isRaised)
    return { waits: `MinSize is ${group.minSize}, and prewarm raises it to ${nodes} within a minute` };
  return newcomer === undefined
    ? { waits: `MinSize is ${group.minSize}, and Auto Scaling launches an instance` }
    : { done: newcomer.instanceId };
}

/** Auto Scaling refuses to lower the desired capacity below MinSize, which prewarm restores after the hold's end. */
export const awaitMinSize = (trial: Trial, context: WaitContext): Promise<AutoScalingGroup> =>
  until(
    {
      withinSeconds: restoreSeconds,
      look: () => groupOf(trial),
      judge: (group): Verdict<AutoScalingGroup> =>
        group.minSize <= trial.record().desiredCapacity
          ? { done: group }
          : {
              waits: `MinSize is still ${group.minSize}: prewarm restores it within minutes of the hold’s end, unless another hold keeps it`,
            },
      advice: () => 'drover hold list shows the holds',
    },
    context,
  );
