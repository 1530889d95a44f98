import { hookName } from '../../../../local/names.ts';
import { isRunning, membersOf } from './watch.ts';
import { managedTag, type NthWorld, terminationHandlerHook } from './world.ts';

/**
 * A step of docs/migrate-nth.md for one group. A step that is done before changes nothing, so that the list can be run again. The tag goes
 * after the hook: NTH ignores an instance without it, so a wait on the hook would then not end, and a second run would wait for it.
 */
export type Step = (world: NthWorld, autoScalingGroupName: string) => Promise<void>;

/** NTH is slow on a slow machine: ten of its seconds are one of ours. Its hook runs out after an hour. */
const longestWaitSeconds = 2400;

const droverTags = { 'drover.dev/role': 'worker' } as const;

const putDroversTags: Step = async ({ cloud }, ResourceId) => {
  cloud.account.autoScaling.operations.CreateOrUpdateTags({
    Tags: Object.entries(droverTags).map(([Key, Value]) => ({
      ResourceId,
      ResourceType: 'auto-scaling-group',
      Key,
      Value,
      PropagateAtLaunch: false,
    })),
  });
};

const putDroversHook: Step = async (world, name) => putHook(world, name, hookName);

/** Instances that EC2 does not run any more have nothing to drain, and NTH ignores them until its hook runs out. */
const untilOlderOnesAreGone: Step = async (world, name) => {
  const terminating = (): readonly string[] =>
    membersOf(world, name)
      .filter(({ LifecycleState = '' }) => LifecycleState.startsWith('Terminating'))
      .map(({ InstanceId = '' }) => InstanceId)
      .filter((id) => isRunning(world, id));
  const older = terminating();
  for (let seconds = 0; older.some((id) => terminating().includes(id)); seconds += 2) {
    if (seconds > longestWaitSeconds)
      throw new Error(
        `${name} is held by ${older.filter((id) => terminating().includes(id)).join(', ')}: ${world.handlerSays()}`,
      );
    await world.pass(2);
  }
};

const removeHandlersTag: Step = async (world, ResourceId) => {
  const { autoScaling, ec2 } = world.cloud.account;
  autoScaling.operations.DeleteTags({
    Tags: [{ ResourceId, ResourceType: 'auto-scaling-group', Key: managedTag }],
  });
  await world.pass(2);
  ec2.operations.DeleteTags({
    Resources: membersOf(world, ResourceId).map(({ InstanceId = '' }) => InstanceId),
    Tags: [{ Key: managedTag }],
  });
};

const deleteHandlersHook: Step = async (world, name) => deleteHook(world, name, terminationHandlerHook);

const putHandlersTag: Step = async (world, ResourceId) => {
  const { autoScaling, ec2 } = world.cloud.account;
  const tag = { Key: managedTag, Value: 'true' };
  autoScaling.operations.CreateOrUpdateTags({
    Tags: [{ ResourceId, ResourceType: 'auto-scaling-group', PropagateAtLaunch: true, ...tag }],
  });
  await world.pass(2);
  ec2.operations.CreateTags({
    Resources: membersOf(world, ResourceId).map(({ InstanceId = '' }) => InstanceId),
    Tags: [tag],
  });
};

const putHandlersHook: Step = async (world, name) => putHook(world, name, terminationHandlerHook);
const deleteDroversHook: Step = async (world, name) => deleteHook(world, name, hookName);

const removeDroversTags: Step = async ({ cloud }, ResourceId) => {
  cloud.account.autoScaling.operations.DeleteTags({
    Tags: Object.keys(droverTags).map((Key) => ({ ResourceId, ResourceType: 'auto-scaling-group', Key })),
  });
};

export const forward: readonly Step[] = [
  putDroversTags,
  putDroversHook,
  untilOlderOnesAreGone,
  deleteHandlersHook,
  removeHandlersTag,
];

export const back: readonly Step[] = [
  putHandlersTag,
  putHandlersHook,
  untilOlderOnesAreGone,
  deleteDroversHook,
  removeDroversTags,
];

export async function run(
  world: NthWorld,
  autoScalingGroupName: string,
  steps: readonly Step[],
): Promise<void> {
  for (const step of steps) await step(world, autoScalingGroupName);
}

function putHook({ cloud }: NthWorld, AutoScalingGroupName: string, LifecycleHookName: string): void {
  cloud.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName,
    LifecycleHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: 3600,
    DefaultResult: 'CONTINUE',
  });
}

function deleteHook({ cloud }: NthWorld, AutoScalingGroupName: string, LifecycleHookName: string): void {
  const { DeleteLifecycleHook, DescribeLifecycleHooks } = cloud.account.autoScaling.operations;
  const { LifecycleHooks } = DescribeLifecycleHooks({ AutoScalingGroupName });
  if (LifecycleHooks.some((hook) => hook.LifecycleHookName === LifecycleHookName))
    DeleteLifecycleHook({ AutoScalingGroupName, LifecycleHookName });
}
