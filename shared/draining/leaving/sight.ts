import {
  type AutoScalingGroup,
  type Ec2Instance,
  type GroupInstance,
  type GroupMember,
  isManaged,
} from '../../lifecycle/group.ts';
import type { LeavingSettings } from '../../lifecycle/group-settings.ts';
import { readLeavingSettings } from '../../lifecycle/group-settings.ts';
import type { LeavingNotice } from '../../lifecycle/notice.ts';
import { needsEc2, type Situation, situationOf } from './situation.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/** What was seen of a subject, and what it means. */
export interface Sight {
  readonly situation: Situation;
  readonly instance?: GroupInstance;
  readonly ec2?: Ec2Instance;
  /** Only a managed group: undefined where the instance is in none, or in somebody else's. */
  readonly group?: AutoScalingGroup;
  readonly settings: LeavingSettings;
  /** Tags of the group that could not be read. */
  readonly problems: readonly string[];
}

/** Looks at the instance in Auto Scaling, at its group, and in EC2 where that does not settle it. */
export async function sight(world: LeavingWorld, subject: LeavingSubject): Promise<Sight> {
  const instance = await instanceOf(world, subject);
  const ec2 = needsEc2(instance, subject.notices)
    ? await world.ec2.describeInstance(subject.instanceId)
    : undefined;
  const groupName = instance?.autoScalingGroupName ?? ec2?.tags['aws:autoscaling:groupName'];
  const group = groupName === undefined ? undefined : await world.autoScaling.describeGroup(groupName);
  const { settings, problems } = readLeavingSettings(group?.tags ?? {}, world.settings.defaults);
  const situation = situationOf({
    ...(instance && { instance }),
    ...(ec2 && { ec2 }),
    notices: subject.notices,
    drainOnRebalance: settings.drainOnRebalance,
  });
  return {
    situation: isForeign(instance, group, world) ? foreign(groupName) : situation,
    ...(instance && { instance }),
    ...(ec2 && { ec2 }),
    ...(group && isManaged(group, world.settings.clusterName) && { group }),
    settings,
    problems,
  };
}

/**
 * An instance that was seen waiting moments ago still waits, or its wait has ended; neither is told apart by asking again,
 * unless EC2 has said since then that it goes.
 */
async function instanceOf(world: LeavingWorld, subject: LeavingSubject): Promise<GroupInstance | undefined> {
  const { instanceId, notices } = subject;
  if (notices.some(isGoing)) world.memory.forget(instanceId);
  const known = world.memory.recall(instanceId)?.waiting ?? (await listedAsWaiting(world, subject));
  const instance = known ?? (await world.autoScaling.describeInstance(instanceId));
  if (instance && isWaiting(instance)) world.memory.remember(instanceId, { waiting: instance });
  return instance;
}

/**
 * The list of groups is read for the group's settings anyway, and mostly after the wait began: then it shows the instance
 * waiting, and spares a call. Whoever has no hook to wait on is not looked for in it.
 */
async function listedAsWaiting(
  { autoScaling }: LeavingWorld,
  { instanceId, notices }: LeavingSubject,
): Promise<GroupInstance | undefined> {
  const autoScalingGroupName = notices.find(({ hook }) => hook)?.hook?.autoScalingGroupName;
  if (autoScalingGroupName === undefined || notices.some(isGoing)) return undefined;
  const group = await autoScaling.describeGroup(autoScalingGroupName);
  const member = group?.instances.find((each) => each.instanceId === instanceId && isWaiting(each));
  return member && { ...member, autoScalingGroupName };
}

const isGoing = ({ cause }: LeavingNotice): boolean => cause === 'instance-gone';

const isWaiting = ({ lifecycleState }: GroupMember): boolean => lifecycleState.endsWith('Terminating:Wait');

const isForeign = (
  instance: GroupInstance | undefined,
  group: AutoScalingGroup | undefined,
  world: LeavingWorld,
): boolean => instance !== undefined && !(group && isManaged(group, world.settings.clusterName));

const foreign = (groupName: string | undefined): Situation => ({
  kind: 'stays',
  reason: `its group ${groupName ?? ''} is not tagged as this cluster's`,
});
