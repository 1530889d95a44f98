import type {
  DeregisterTargetsInput,
  DescribeTargetHealthInput,
  RegisterTargetsInput,
  TargetDescription,
  TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { findTargetGroup, type LoadBalancingWorld, type Target, type TargetGroup } from './model.ts';
import { deregisterTarget, registerTarget } from './targets.ts';

export const targetOperations = (world: LoadBalancingWorld) => ({
  RegisterTargets: (input: RegisterTargetsInput): Record<string, never> => {
    const group = findTargetGroup(world, input.TargetGroupArn);
    for (const target of input.Targets ?? []) registerTarget(world, group, target);
    return {};
  },
  DeregisterTargets: (input: DeregisterTargetsInput): Record<string, never> => {
    const group = findTargetGroup(world, input.TargetGroupArn);
    for (const target of input.Targets ?? []) deregisterTarget(world, group, target);
    return {};
  },
  DescribeTargetHealth: (input: DescribeTargetHealthInput) => {
    const group = findTargetGroup(world, input.TargetGroupArn);
    const all = [...group.targets.values()];
    const described =
      input.Targets === undefined || input.Targets.length === 0
        ? all.map((target) => toHealth(target))
        : input.Targets.map((asked) => healthOf(group, all, asked));
    return { TargetHealthDescriptions: described };
  },
});

/** A target that is not registered is `unused`, not an error. */
function healthOf(
  group: TargetGroup,
  all: readonly Target[],
  asked: TargetDescription,
): TargetHealthDescription {
  const found = all.find(
    ({ id, port }) => id === asked.Id && (asked.Port === undefined || port === asked.Port),
  );
  if (found !== undefined) return toHealth(found);
  return {
    Target: { Id: asked.Id, Port: asked.Port ?? group.settings.Port },
    TargetHealth: {
      State: 'unused',
      Reason: 'Target.NotRegistered',
      Description: 'Target is not registered to the target group',
    },
  };
}

function toHealth(target: Target): TargetHealthDescription {
  return {
    Target: { Id: target.id, Port: target.port },
    HealthCheckPort: String(target.port),
    TargetHealth: {
      State: target.state,
      ...(target.reason === undefined ? {} : { Reason: target.reason }),
    },
  };
}
