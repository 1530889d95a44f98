import { etcdStatusTagKey } from '../etcd/groups.ts';
import { leavesOneAtATime, roleOf, unitsOf } from '../groups/group.ts';
import { isInService, isRetained, isTerminating, isWarmed } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { whyNoApiServer } from './api-servers.ts';
import type { RollMember } from './member.ts';
import { isNodeLeaving } from './node-marks.ts';
import type { GroupProgress, RollFacts } from './progress.ts';

/** Whether an instance is about to leave, or leaves, for whatever reason. */
export const leaves = (member: RollMember): boolean =>
  (isTerminating(member) && !isRetained(member)) ||
  (isInService(member) && (!member.healthy || (member.node !== undefined && isNodeLeaving(member.node))));

/** Whether an instance leaves, or will: a mark on its Node by itself makes none leave. */
export const leavesAnyway = (member: RollMember): boolean => leaves({ ...member, node: undefined });

/** An operator or the warm pool keeps the instance: its group does not count it, or not for long. */
const isSetAside = (member: RollMember): boolean =>
  isRetained(member) || isWarmed(member) || /Standby|^Detach/.test(member.lifecycleState);

/** Members of etcd may have no kubelet: their launching hook ends once they vote. */
const serves = (member: RollMember, isEtcd: boolean): boolean =>
  isInService(member) && !leaves(member) && (member.node === undefined ? isEtcd : isNodeReady(member.node));

/**
 * How many instances of a group are being replaced, or are missing: those that leave, or as many as its desired capacity lacks,
 * whichever is more. A replacement and the instance that it replaces are one. An old worker whose Node is not Ready is not missing: its turn
 * comes first, and nothing else would bring it back. One of a control plane is missing: if a list of Auto Scaling is old, its Node may be gone
 * because it leaves already. Pure.
 */
export function inMotion(
  { group, old, leftOut, ...progress }: GroupProgress,
  members: readonly RollMember[],
): number {
  if (group === undefined) return 0;
  const own = members.filter(
    ({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName,
  );
  const spared = new Set(
    progress.role === 'worker'
      ? [...old.map(({ member }) => member.instanceId), ...leftOut.map(({ instanceId }) => instanceId)]
      : [],
  );
  const present = own.filter(
    (member) =>
      serves(member, progress.role === 'etcd') ||
      (isInService(member) && !leaves(member) && spared.has(member.instanceId)),
  );
  // Units of capacity that are missing come back with as many instances, or with more of them if these are small.
  const heaviest = Math.max(1, ...own.map(({ weight = 1 }) => weight));
  const missing = Math.ceil((group.desiredCapacity - unitsOf(present)) / heaviest);
  return Math.max(own.filter(leaves).length, missing);
}

/** Why a group is not whole, for the groups after it; undefined if each instance that it should have serves, and none leaves. Pure. */
export function whyNotWhole(
  progress: GroupProgress,
  { members, apiServers }: Pick<RollFacts, 'members' | 'apiServers'>,
): string | undefined {
  const { autoScalingGroupName, group, role, fresh } = progress;
  const moving = inMotion(progress, members);
  if (moving > 0)
    return `${moving} ${moving === 1 ? 'instance' : 'instances'} of ${autoScalingGroupName} to come or to leave`;
  const pending = group && fresh.find((member) => !isInService(member) && !isSetAside(member));
  if (pending) return `${pending.instanceId} of ${autoScalingGroupName} is ${pending.lifecycleState}`;
  return group && role === 'control-plane' ? firstWithoutApiServer(fresh, apiServers) : undefined;
}

/**
 * Why no instance of etcd or of a control plane may leave now; undefined if one may. All groups of both roles count: the instances of a zone
 * or of a control plane may be in several, and a stacked etcd runs on control planes. Pure.
 *
 * @param except the instance that is marked to leave next.
 */
export function whyNoneMayLeave(
  { groups, members, apiServers }: RollFacts,
  except?: string,
): string | undefined {
  for (const group of groups) {
    const { autoScalingGroupName: name, desiredCapacity, tags } = group;
    const trouble = tags[etcdStatusTagKey];
    if (trouble !== undefined) return `etcd of ${name}: ${trouble}`;
    if (!leavesOneAtATime(group)) continue;
    const own = members.filter(({ autoScalingGroupName }) => autoScalingGroupName === name);
    const others = own.filter(({ instanceId }) => instanceId !== except);
    const passing = others.find((member) => leaves(member) || (!isInService(member) && !isSetAside(member)));
    if (passing) return `one at a time: ${passing.instanceId} of ${name} is ${stateOf(passing)}`;
    const role = roleOf(group);
    const silent = others.find((member) => isInService(member) && !serves(member, role === 'etcd'));
    if (silent) return `one at a time: ${silent.instanceId} of ${name} has no Ready Node`;
    const mute = role === 'control-plane' ? firstWithoutApiServer(others, apiServers) : undefined;
    if (mute !== undefined) return `one at a time: ${mute}`;
    const present = unitsOf(own.filter(isInService));
    if (present < desiredCapacity)
      return `one at a time: ${name} has ${present} of ${desiredCapacity} in service`;
  }
  return undefined;
}

/** The API server of a Ready Node may not have started yet, or may crash. */
const firstWithoutApiServer = (
  members: readonly RollMember[],
  apiServers: RollFacts['apiServers'],
): string | undefined =>
  members
    .filter(isInService)
    .map((member) => whyNoApiServer(member, apiServers))
    .find((why) => why !== undefined);

const stateOf = ({ lifecycleState, healthy }: RollMember): string =>
  lifecycleState !== 'InService' ? lifecycleState : healthy ? 'about to leave' : 'Unhealthy';
