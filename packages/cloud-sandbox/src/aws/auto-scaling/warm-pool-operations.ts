import type { DeleteWarmPoolType, DescribeWarmPoolType, PutWarmPoolType } from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import { utcSeconds } from './activities.ts';
import { terminateMember } from './departures.ts';
import { toInstance, toWarmPoolConfiguration } from './describe.ts';
import { autoScalingErrors } from './errors.ts';
import { changeableGroup } from './group-operations.ts';
import { membersWhere } from './members.ts';
import type { Group, WarmPool } from './model.ts';
import { isWarm } from './passages.ts';
import { warmMembers } from './warm-pool.ts';
import { type AutoScalingWorld, findGroup, reconcileSoon } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-warm-pools.html */
export const warmPoolOperations = (world: AutoScalingWorld) => ({
  PutWarmPool: (input: PutWarmPoolType): Record<string, never> => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    group.warmPool = poolFrom(group, input);
    reconcileSoon(world, group);
    return {};
  },
  DeleteWarmPool: (input: DeleteWarmPoolType): Record<string, never> => {
    deletePool(world, findGroup(world, input.AutoScalingGroupName), input.ForceDelete === true);
    return {};
  },
  DescribeWarmPool: (input: DescribeWarmPoolType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const { items, nextToken } = page(
      membersWhere(group, ({ state }) => isWarm(state)),
      {
        nextToken: input.NextToken,
        size: pageSize(input.MaxRecords, { default: 50, maximum: 50 }),
        invalidToken: autoScalingErrors.invalidNextToken,
      },
    );
    return {
      WarmPoolConfiguration: toWarmPoolConfiguration(group),
      Instances: items.map(toInstance),
      NextToken: nextToken,
    };
  },
});

/** A maximum of -1 takes the setting away. */
function poolFrom(group: Group, input: PutWarmPoolType): WarmPool {
  const maximum = input.MaxGroupPreparedCapacity ?? group.warmPool?.MaxGroupPreparedCapacity;
  return {
    ...(maximum === undefined || maximum < 0 ? {} : { MaxGroupPreparedCapacity: maximum }),
    MinSize: input.MinSize ?? group.warmPool?.MinSize ?? 0,
    PoolState: input.PoolState ?? group.warmPool?.PoolState ?? 'Stopped',
    InstanceReusePolicy: input.InstanceReusePolicy ?? group.warmPool?.InstanceReusePolicy,
    deleting: false,
  };
}

function deletePool(world: AutoScalingWorld, group: Group, force: boolean): void {
  if (group.warmPool === undefined) {
    throw autoScalingErrors.validation(`No warm pool found for Auto Scaling group ${group.name}`);
  }
  const members = warmMembers(group);
  if (!force && members.length > 0) {
    throw autoScalingErrors.resourceInUse(
      'You cannot delete a warm pool while there are instances still in the warm pool.',
    );
  }
  group.warmPool.deleting = true;
  const cause = `At ${utcSeconds(world.clock.now())} a user request deleted the warm pool.`;
  for (const member of members) terminateMember(world, member, { cause });
  reconcileSoon(world, group);
}
