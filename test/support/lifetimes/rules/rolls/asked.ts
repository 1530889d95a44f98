import type { Roll } from '../../../../../shared/roll/roll.ts';
import { residentOf, time } from '../facts.ts';
import type { Rule, View } from '../rule.ts';
import { isRollMark, isTaking, passMilliseconds, rollsOf } from './facts.ts';

export const rollsDoAsAsked: Rule = {
  name: 'rolls-do-as-asked',
  sentence: 'A roll that people have paused or aborted marks and replaces nothing more.',
  onCall: (call, view) => {
    if (!isTaking(call) && !isRollMark(call)) return undefined;
    const name = residentOf(view, call)?.autoScalingGroupName ?? '';
    return rollsOf(name, view).some(({ wanted }) => wanted === 'run')
      ? undefined
      : `${call.what}: no roll of ${name} shall run`;
  },
};

export const stoppedRollsStay: Rule = {
  name: 'stopped-rolls-stay',
  sentence: 'A roll that has stopped marks and replaces nothing until people resume it.',
  onCall: (call, view) => {
    if (!isTaking(call) && !isRollMark(call)) return undefined;
    const name = residentOf(view, call)?.autoScalingGroupName ?? '';
    const rolls = rollsOf(name, view);
    return rolls.every((roll) => hasStopped(roll, view))
      ? `${call.what}: ${rolls.map((one) => one.name).join(' and ')} has stopped`
      : undefined;
  },
};

function hasStopped(roll: Roll, view: View): boolean {
  const seen = view.rolls.seen(roll.name);
  return (
    seen?.state === 'stopped' &&
    seen.startedAt === roll.startedAt &&
    seen.since >= (roll.resumedAt ?? 0) &&
    seen.since < view.now - passMilliseconds
  );
}

export const rollsReplaceByWhatWasAsked: Rule = {
  name: 'rolls-replace-by-what-was-asked',
  sentence: 'A roll replaces nothing while its group would launch another version than people asked for.',
  onCall: (call, view) => {
    if (!isTaking(call)) return undefined;
    const name = residentOf(view, call)?.autoScalingGroupName ?? '';
    const launched = view.rolls.versionsSince(name, view.now - passMilliseconds);
    const wanted = rollsOf(name, view).map(
      ({ groups }) =>
        groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.target?.main.version,
    );
    return wanted.some((version) => version !== undefined && launched.includes(version))
      ? undefined
      : `${call.what}: ${name} launches version ${launched.at(-1)}, and ${wanted.join(' or ')} was asked for`;
  },
};

/** Reading, asking for an instance to be replaced, and waiting. */
const harmless = /^aws (?:Describe\w+|Get\w+|TerminateInstanceInAutoScalingGroup|SetInstanceHealth) /;

export const rollsWriteNoSize: Rule = {
  name: 'rolls-write-no-size',
  sentence: 'A roll writes no MinSize, MaxSize and desired capacity, evicts no pod and deletes no Node.',
  onCall: (call) => {
    if (call.caller !== 'roll') return undefined;
    const isForbidden =
      call.kind === 'give-back' ||
      call.kind === 'evict' ||
      call.kind === 'delete-pod' ||
      call.kind === 'delete-node' ||
      (call.what.startsWith('aws ') && !harmless.test(call.what));
    return isForbidden ? `${call.what} by a roll` : undefined;
  },
};

export const refreshesComeFirst: Rule = {
  name: 'refreshes-come-first',
  sentence: 'A roll replaces nothing of a group whose instance refresh is active.',
  onCall: (call, view) => {
    if (!isTaking(call)) return undefined;
    const AutoScalingGroupName = residentOf(view, call)?.autoScalingGroupName ?? '';
    const [refresh] = view.world.account.autoScaling.operations.DescribeInstanceRefreshes({
      AutoScalingGroupName,
    }).InstanceRefreshes;
    const startedAt = refresh?.StartTime?.getTime() ?? view.now;
    const isActive = /Progress|Pending|Cancelling/.test(refresh?.Status ?? '');
    return isActive && startedAt < view.now - passMilliseconds
      ? `${call.what}: ${AutoScalingGroupName} has been refreshed since ${time(startedAt)}`
      : undefined;
  },
};
