import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { rollingAnnotation } from '../../../../../shared/nodes/node-keys.ts';
import { readRollingMark } from '../../../../../shared/nodes/rolling-mark.ts';
import type { Roll } from '../../../../../shared/roll/roll.ts';
import type { Call } from '../../watch/call.ts';
import type { Resident } from '../../watch/census.ts';
import type { View } from '../rule.ts';

/** A pass acts on what it has read so long ago at most, while its calls are slow or are repeated. */
export const passMilliseconds = 90_000;

/** A roll asks AWS to replace an instance. */
export const isTaking = (call: Call): call is Extract<Call, { readonly kind: 'hand-back' | 'set-health' }> =>
  call.caller === 'roll' && (call.kind === 'hand-back' || (call.kind === 'set-health' && !call.healthy));

/** The patch with which a roll marks and cordons a Node. */
export const isRollMark = (call: Call): call is Extract<Call, { readonly kind: 'patch-node' }> =>
  call.caller === 'roll' &&
  call.kind === 'patch-node' &&
  typeof call.patch.metadata?.annotations?.[rollingAnnotation] === 'string';

export const nodeOf = ({ nodeName = '' }: Resident, { world }: View): Node | undefined =>
  world.kubernetes.store.of('nodes').get(undefined, nodeName);

/** The roll that a Node is marked by; undefined without a mark that can be read. */
export function markedBy(node: Node | undefined): string | undefined {
  const mark = readRollingMark(node?.metadata?.annotations);
  return mark === undefined || mark === 'unreadable' ? undefined : mark.roll;
}

/** What people asked of the rolls with this group, as far as a pass of now may know. */
export const rollsOf = (group: string, view: View): readonly Roll[] =>
  view.rolls
    .names()
    .flatMap((name) => view.rolls.asksSince(name, view.now - passMilliseconds))
    .flatMap(({ roll }) => roll ?? [])
    .filter(({ groups }) => groups.some(({ autoScalingGroupName }) => autoScalingGroupName === group));

export const launchedAt = ({ instanceId }: Resident, { world }: View): number =>
  world.account.ec2.instances.find(instanceId)?.launchedAt ?? 0;

/** Whether the roll is for this instance. */
export function isOldFor(roll: Roll, resident: Resident, view: View): boolean {
  if (launchedAt(resident, view) >= roll.startedAt) return false;
  const target = roll.groups.find(
    ({ autoScalingGroupName }) => autoScalingGroupName === resident.autoScalingGroupName,
  )?.target;
  return target !== undefined && (roll.criterion.kind === 'all' || resident.version !== target.main.version);
}

/** A roll has taken the instance, and it is still there. */
export const isBeingTaken = ({ instanceId, lifecycleState, healthy }: Resident, { rolls }: View): boolean =>
  rolls.takenAt(instanceId) !== undefined &&
  (lifecycleState === 'InService' ? !healthy : /^Terminating(?!:Retained)/.test(lifecycleState ?? ''));

/** How far the clocks of the functions and the cluster may be apart. */
export const clockMilliseconds = ({ plan }: View): number =>
  2000 * Math.max(0, ...Object.values(plan.conditions.clockOffsetSeconds).map(Math.abs));

/** Its Node is Ready, or was a moment ago. */
export function isReadyAsKnown(resident: Resident, view: View): boolean {
  const ready = nodeOf(resident, view)?.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True' || resident.nodeDeletedByHand) return true;
  const since = Date.parse(ready?.lastTransitionTime ?? '');
  return since > view.now - passMilliseconds - clockMilliseconds(view);
}

export const roleOf = ({ plan }: View, name: string): 'control-plane' | 'worker' =>
  plan.groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.role ?? 'worker';
