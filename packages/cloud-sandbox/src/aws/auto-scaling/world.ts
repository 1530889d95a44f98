import type { Ec2 } from '../ec2/ec2.ts';
import type { Deliver, PutAwsEvent, ServiceParts } from '../integration.ts';
import { autoScalingErrors } from './errors.ts';
import type { Activity, Group, LifecycleAction, Member } from './model.ts';

/** How long Auto Scaling takes, in simulated seconds. */
export interface AutoScalingTimings {
  /** Between a difference in capacity and acting on it. */
  readonly reconcileSeconds: number;
  /** In a `:Proceed` state, in EnteringStandby and Detaching. */
  readonly stepSeconds: number;
  /** From the end of an instance in EC2 until the health check sees it. */
  readonly healthCheckSeconds: number;
  /** Before a launch that EC2 refused is tried again; doubled each time, at most 15 minutes. */
  readonly launchRetrySeconds: number;
}

/** What a load balancer does for a group. */
export interface TargetRegistry {
  register(targetGroupArn: string, instanceId: string): void;
  /** Starts the deregistration; `drained` is called when it is complete. */
  deregister(targetGroupArn: string, instanceId: string, drained: () => void): void;
  exists(targetGroupArn: string): boolean;
}

/** Looks at a group after something in it has changed. */
export type Reconciler = (group: Group) => void;

/** Everything that Auto Scaling remembers. */
export interface AutoScalingWorld extends ServiceParts {
  readonly ec2: Ec2;
  readonly putAwsEvent: PutAwsEvent;
  readonly deliver: Deliver;
  readonly targets: TargetRegistry | undefined;
  readonly timings: AutoScalingTimings;
  readonly hookChangesReachWaits: boolean;
  readonly groups: Map<string, Group>;
  /** The members of all groups, by instance id. */
  readonly members: Map<string, Member>;
  /** By token. */
  readonly actions: Map<string, LifecycleAction>;
  /** Name -> `enabled` or `disabled`. */
  readonly accountSettings: Map<string, string>;
  /** Activities outlive their group. */
  readonly formerActivities: Activity[];
  readonly reconcilers: Reconciler[];
}

/** Throws ValidationError, also for a name that is not given. */
export function findGroup(world: AutoScalingWorld, name: string | undefined): Group {
  if (name === undefined) throw autoScalingErrors.missing('autoScalingGroupName');
  const group = world.groups.get(name);
  if (group === undefined) throw autoScalingErrors.groupNotFound(name);
  return group;
}

/** A member of any group. Throws ValidationError. */
export function findMember(world: AutoScalingWorld, instanceId: string | undefined): Member {
  if (instanceId === undefined) throw autoScalingErrors.missing('instanceId');
  const member = world.members.get(instanceId);
  if (member === undefined) throw autoScalingErrors.instanceNotFound(instanceId);
  return member;
}

/** Members of this group, all of them or an error. */
export function findMembers(
  world: AutoScalingWorld,
  group: Group,
  instanceIds: readonly string[] | undefined,
): Member[] {
  return (instanceIds ?? []).map((id) => {
    const member = findMember(world, id);
    if (member.group !== group) {
      throw autoScalingErrors.validation(
        `The instance ${id} is not part of Auto Scaling group ${group.name}.`,
      );
    }
    return member;
  });
}

/** Many changes in one moment lead to one reconciliation of the group. */
export function reconcileSoon(world: AutoScalingWorld, group: Group): void {
  if (group.reconcileTimer !== undefined) return;
  group.reconcileTimer = world.clock.after(world.timings.reconcileSeconds * 1000, () => {
    group.reconcileTimer = undefined;
    for (const reconcile of world.reconcilers) reconcile(group);
  });
}

export const isSuspended = (group: Group, process: string): boolean => group.suspended.has(process);
