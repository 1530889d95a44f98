import type { Group, Member } from './model.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/** "Before the instance reaches the InService state" it is registered with the group's load balancers. */
export function registerTarget(world: AutoScalingWorld, member: Member): void {
  if (isSuspended(member.group, 'AddToLoadBalancer')) return;
  for (const arn of member.group.targetGroupArns) world.targets?.register(arn, member.instanceId);
}

/**
 * Deregisters from all target groups and calls `drained` when the last connection has drained: before the termination
 * hooks start. https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html, steps 4 and 5:
 * "the terminating instance is first deregistered from the load balancer ...", then the hook puts it into Terminating:Wait.
 */
export function drainTargets(world: AutoScalingWorld, member: Member, drained: () => void): void {
  const { targets } = world;
  const arns = [...member.group.targetGroupArns];
  if (targets === undefined || arns.length === 0) {
    drained();
    return;
  }
  const open = new Set(arns);
  for (const arn of arns) {
    targets.deregister(arn, member.instanceId, () => {
      if (open.delete(arn) && open.size === 0) drained();
    });
  }
}

/** Members that take traffic when a target group is attached to the group. */
export function registerAll(world: AutoScalingWorld, group: Group, targetGroupArn: string): void {
  for (const member of group.members.values()) {
    if (member.state === 'InService') world.targets?.register(targetGroupArn, member.instanceId);
  }
}

export function deregisterAll(world: AutoScalingWorld, group: Group, targetGroupArn: string): void {
  for (const member of group.members.values()) {
    world.targets?.deregister(targetGroupArn, member.instanceId, () => undefined);
  }
}
