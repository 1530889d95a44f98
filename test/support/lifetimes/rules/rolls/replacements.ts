import { hookName } from '../../../../../local/world/drover-world.ts';
import type { Resident } from '../../watch/census.ts';
import { heartbeatTimeouts, residentOf } from '../facts.ts';
import type { Rule, View } from '../rule.ts';
import { isReadyAsKnown, passMilliseconds, roleOf } from './facts.ts';

/** The drains of nodes that wait for their replacements, by the instance: when they were first seen to begin. */
const begun = new WeakMap<Resident, number>();

export const replacementsServeFirst: Rule = {
  name: 'replacements-serve-first',
  sentence:
    'Pods are evicted from a worker that a roll replaces only once its replacement serves, unless the roll lets it be unavailable, or there is no time.',
  onCall: (call, view) => {
    if (call.kind !== 'evict') return undefined;
    const resident = residentOf(view, call);
    if (resident === undefined || begun.has(resident) || !isAwaited(resident, view)) return undefined;
    begun.set(resident, call.at);
    const { autoScalingGroupName: name, instanceId } = resident;
    const desired = view.rolls.leastDesired(name, view.now - passMilliseconds);
    const others = view.census
      .all()
      .filter((one) => one !== resident && one.autoScalingGroupName === name)
      .filter((one) => serves(one, view) || isStillFull(one, view));
    return others.length < desired
      ? `${instanceId} of ${name} is drained while ${others.length} others of ${desired} serve`
      : undefined;
  },
};

function serves(resident: Resident, view: View): boolean {
  const { lifecycleState = '', leavingSince, healthy } = resident;
  const leavesLately = leavingSince !== undefined && view.now - leavingSince < passMilliseconds;
  if (lifecycleState.startsWith('Terminating')) return leavesLately;
  return lifecycleState === 'InService' && healthy && isReadyAsKnown(resident, view);
}

/** It leaves as well, and still has its pods. */
const isStillFull = (resident: Resident, view: View): boolean =>
  resident.lifecycleState === 'Terminating:Wait' && !begun.has(resident) && isReadyAsKnown(resident, view);

/** A roll has marked it so that its drain waits, nothing takes it early, and Auto Scaling replaces it. */
function isAwaited(resident: Resident, view: View): boolean {
  const { autoScalingGroupName: name, hurried, lifecycleState, waitingSince = 0 } = resident;
  if (lifecycleState !== 'Terminating:Wait' || hurried || resident.markEditedAt !== undefined) return false;
  if (roleOf(view, name) !== 'worker' || resident.rollingEditedAt !== undefined) return false;
  const { nodeName = '', instanceId } = resident;
  if (view.rolls.takenAt(instanceId) === undefined || !view.rolls.waits(nodeName)) return false;
  if (!isReadyAsKnown(resident, view) || resident.silentAt !== undefined) return false;
  const { operations } = view.world.account.autoScaling;
  const [group] = operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [name] }).AutoScalingGroups;
  if (group?.SuspendedProcesses?.some(({ ProcessName }) => ProcessName === 'Launch')) return false;
  const hooks = operations.DescribeLifecycleHooks({ AutoScalingGroupName: name }).LifecycleHooks;
  if (!hooks.some(({ LifecycleHookName }) => LifecycleHookName === hookName)) return false;
  // The drain needs the rest of a wait that ends soon.
  const longest = 100 * Math.min(...heartbeatTimeouts(view, name)) * 1000;
  return view.now - waitingSince < longest / 2;
}
