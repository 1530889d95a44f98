import type {
  AttachLoadBalancerTargetGroupsType,
  DescribeLoadBalancerTargetGroupsRequest,
  DetachLoadBalancerTargetGroupsType,
} from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import { autoScalingErrors } from './errors.ts';
import { changeableGroup, knownTargetGroup } from './group-operations.ts';
import { deregisterAll, registerAll } from './load-balancing.ts';
import { type AutoScalingWorld, findGroup } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/attach-load-balancer-asg.html */
export const targetGroupOperations = (world: AutoScalingWorld) => ({
  AttachLoadBalancerTargetGroups: (input: AttachLoadBalancerTargetGroupsType): Record<string, never> => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    const arns = (input.TargetGroupARNs ?? []).map((arn) => knownTargetGroup(world, arn));
    for (const arn of arns) {
      group.targetGroupArns.add(arn);
      registerAll(world, group, arn);
    }
    return {};
  },
  DetachLoadBalancerTargetGroups: (input: DetachLoadBalancerTargetGroupsType): Record<string, never> => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    for (const arn of input.TargetGroupARNs ?? []) {
      if (group.targetGroupArns.delete(arn)) deregisterAll(world, group, arn);
    }
    return {};
  },
  DescribeLoadBalancerTargetGroups: (input: DescribeLoadBalancerTargetGroupsRequest) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const { items, nextToken } = page([...group.targetGroupArns], {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 100, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    const targetGroups = items.map((LoadBalancerTargetGroupARN) => ({
      LoadBalancerTargetGroupARN,
      State: 'InService',
    }));
    return { LoadBalancerTargetGroups: targetGroups, NextToken: nextToken };
  },
});
