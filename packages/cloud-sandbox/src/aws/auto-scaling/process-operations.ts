import type { ScalingProcessQuery } from '@aws-sdk/client-auto-scaling';
import { utcSeconds } from './activities.ts';
import { replaceAllUnhealthy } from './transitions.ts';
import { checkOneOf } from './validation.ts';
import { type AutoScalingWorld, findGroup, reconcileSoon } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html */
const processes = [
  'Launch',
  'Terminate',
  'AddToLoadBalancer',
  'AlarmNotification',
  'AZRebalance',
  'HealthCheck',
  'InstanceRefresh',
  'ReplaceUnhealthy',
  'ScheduledActions',
] as const;

export const processOperations = (world: AutoScalingWorld) => ({
  SuspendProcesses: (input: ScalingProcessQuery): Record<string, never> => {
    const group = findGroup(world, input.AutoScalingGroupName);
    for (const process of named(input)) {
      group.suspended.set(process, `User suspended at ${utcSeconds(world.clock.now())}`);
    }
    return {};
  },
  ResumeProcesses: (input: ScalingProcessQuery): Record<string, never> => {
    const group = findGroup(world, input.AutoScalingGroupName);
    for (const process of named(input)) group.suspended.delete(process);
    replaceAllUnhealthy(world, group.members.values());
    reconcileSoon(world, group);
    return {};
  },
});

/** All processes if none is named. */
function named({ ScalingProcesses: names }: ScalingProcessQuery): readonly string[] {
  if (names === undefined || names.length === 0) return processes;
  return names.map((name) => checkOneOf(name, processes, 'scalingProcesses'));
}
