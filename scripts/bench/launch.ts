import type { RequestLimits } from '@drover/cloud-sandbox/aws';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName, joiningHookName } from '../../local/names.ts';
import { createDroverWorld, type DroverWorld, membersOf } from '../../local/world/drover-world.ts';
import { type AutoScalingCalls, autoScalingCalls } from './drain.ts';

interface LaunchPlan {
  readonly nodes: number;
  readonly heartbeatTimeoutSeconds: number;
  /** From the launch of an instance until its Node is Ready. */
  readonly readyDelaySeconds: number;
  readonly requestLimits: RequestLimits;
}

interface LaunchCost {
  readonly simulatedSeconds: number;
  readonly autoScaling: AutoScalingCalls;
  /** Instances whose wait ended before a pass has completed it: the hook abandons them. */
  readonly lost: number;
}

/** Launches instances, all at once, with a hook that abandons those that it does not hear of, and counts until all are in service. */
export async function measureLaunch(plan: LaunchPlan): Promise<LaunchCost> {
  const { nodes, readyDelaySeconds, requestLimits } = plan;
  const world = createDroverWorld({
    requestLimits,
    kubelets: { configure: () => ({ readyDelaySeconds }) },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  world.account.requests.reset();
  const startedAt = world.clock.now();
  launch(world, plan);
  await world.timeline.until(() => idsIn(world).length === nodes, {
    withinSeconds: 60,
    what: 'the launches',
  });
  const launched = new Set(idsIn(world));
  await world.timeline.until(() => inService(world) === nodes, {
    withinSeconds: 7200,
    what: 'every instance in service',
  });
  return {
    simulatedSeconds: (world.clock.now() - startedAt) / 1000,
    autoScaling: autoScalingCalls(world),
    lost: idsIn(world).filter((instanceId) => !launched.has(instanceId)).length,
  };
}

const launch = (world: DroverWorld, { nodes, heartbeatTimeoutSeconds }: LaunchPlan): void =>
  addGroup(world, {
    autoScalingGroupName: 'workers',
    clusterName,
    size: nodes,
    tags: {},
    settings: {
      MaxSize: nodes,
      LifecycleHookSpecificationList: [
        {
          LifecycleHookName: joiningHookName,
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
          HeartbeatTimeout: heartbeatTimeoutSeconds,
          DefaultResult: 'ABANDON',
        },
      ],
    },
  });

const idsIn = (world: DroverWorld): readonly string[] =>
  membersOf(world).map(({ InstanceId = '' }) => InstanceId);

const inService = (world: DroverWorld): number =>
  membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService').length;
