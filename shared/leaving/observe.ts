import type { Ec2Instance } from '../groups/ec2.ts';
import { type AutoScalingGroup, type GroupInstance, isManaged } from '../groups/group.ts';
import { type LeavingSettings, readLeavingSettings } from '../groups/group-settings.ts';
import type { LeavingContext } from './context.ts';
import { isAboutSpot, needsEc2, type Situation, situationOf } from './situation.ts';
import type { Observed, Started } from './state.ts';

/** What Auto Scaling and EC2 say of an instance, and what that means. */
export interface Observation {
  readonly situation: Situation;
  readonly instance: GroupInstance | undefined;
  readonly ec2: Ec2Instance | undefined;
  /** Undefined where the instance is in no group, or in one that is not this cluster's. */
  readonly managedGroup: AutoScalingGroup | undefined;
  readonly settings: LeavingSettings;
  /** Tags of the group that could not be read. */
  readonly tagProblems: readonly string[];
}

const notSpot = 'a spot warning about it does not count, because EC2 does not call it a Spot Instance';

/** Reads the instance and its group from Auto Scaling, and the instance from EC2 where Auto Scaling's answer is not enough. */
export async function observe(
  context: LeavingContext,
  { subject, notes }: Started,
): Promise<Observed & Started> {
  const { instanceId, notices } = subject;
  const { autoScaling, clock, settings: own } = context;
  // EC2's report may be newer than a cached answer of Auto Scaling: then only an answer from now on counts.
  const isGoneByNotice = notices.some(({ cause }) => cause === 'instance-gone');
  const instance = await autoScaling.describeInstance(instanceId, isGoneByNotice ? clock.now() : undefined);
  const ec2 = needsEc2(instance, notices) ? await context.ec2.describeInstance(instanceId) : undefined;
  const groupName = instance?.autoScalingGroupName ?? ec2?.tags['aws:autoscaling:groupName'];
  const group = groupName === undefined ? undefined : await autoScaling.describeGroup(groupName);
  const managedGroup = group && isManaged(group, own.clusterName) ? group : undefined;
  const { settings, problems } = readLeavingSettings(group?.tags ?? {}, own.defaults);
  const confirmed = notices.filter((notice) => !isAboutSpot(notice) || ec2?.spot !== false);
  const isForeign = instance !== undefined && managedGroup === undefined;
  const observation: Observation = {
    situation: isForeign
      ? { kind: 'stays', reason: `its group ${groupName} is not tagged as this cluster's` }
      : situationOf({
          now: clock.now(),
          instance,
          ec2,
          notices: confirmed,
          drainOnRebalance: settings.drainOnRebalance,
        }),
    instance,
    ec2,
    managedGroup,
    settings,
    tagProblems: problems,
  };
  return {
    observation,
    subject: { ...subject, notices: confirmed },
    notes: confirmed.length < notices.length ? [...notes, notSpot] : notes,
  };
}
