import type { AutoScalingGroup } from '../../shared/groups/group.ts';

/** A group of instances in these lifecycle states. */
export const groupOf = (states: Readonly<Record<string, string>>): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {},
  minSize: 0,
  maxSize: 10,
  desiredCapacity: Object.keys(states).length,
  instances: Object.entries(states).map(([instanceId, lifecycleState]) => ({
    instanceId,
    lifecycleState,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
});
