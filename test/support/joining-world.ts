import { addGroup, type GroupPlan } from '../../local/cloud/furnish.ts';
import { clusterName, joiningHookName } from '../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
} from '../../local/world/drover-world.ts';

/** Kubelets that read the credential which Drover publishes, and groups with the launch hook. */
export async function startJoiningWorld(options: DroverWorldOptions = {}): Promise<DroverWorld> {
  const world: DroverWorld = createDroverWorld({
    ...options,
    kubelets: {
      ask: {
        bootstrapParameter: () =>
          world.lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '',
      },
      ...options.kubelets,
    },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  return world;
}

interface LaunchPlan extends Partial<Pick<GroupPlan, 'autoScalingGroupName' | 'tags' | 'settings'>> {
  /** Of the launch hook, whose default result is ABANDON: a lost wait shows as an instance that is replaced. */
  readonly heartbeatTimeoutSeconds?: number;
}

/** A group of so many workers that wait on Drover's launch hook. */
export const launchWorkers = (
  world: DroverWorld,
  size: number,
  {
    autoScalingGroupName = 'workers',
    tags = {},
    settings = {},
    heartbeatTimeoutSeconds = 300,
  }: LaunchPlan = {},
): void =>
  addGroup(world, {
    autoScalingGroupName,
    clusterName,
    size,
    tags,
    settings: {
      MaxSize: size,
      ...settings,
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

/** The ids of the instances of a group in service. */
export const inService = (world: DroverWorld, autoScalingGroupName?: string): readonly string[] =>
  membersOf(world, autoScalingGroupName)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId);
