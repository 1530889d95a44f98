import {
  PutWarmPoolCommand,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  type WarmPoolState,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import type { ReceivedEvent } from './inbox.ts';
import {
  type AutoScalingEventsWorld,
  complete,
  launchAction,
  launching,
  openHookedGroup,
  terminateAction,
  terminating,
  untilWarmed,
} from './world.ts';

const text = expect.any(String);

const scale = ({ client }: AutoScalingEventsWorld, AutoScalingGroupName: string, DesiredCapacity: number) =>
  client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity }));

const stateOf =
  (instanceId: unknown, state: string) =>
  ({ source, detail }: ReceivedEvent): boolean =>
    source === 'aws.ec2' && detail['instance-id'] === instanceId && detail['state'] === state;

/** Until the instance that the group launches waits on its hook, with the event of the wait. */
async function launch(world: AutoScalingEventsWorld) {
  const group = await openHookedGroup(world);
  await scale(world, group.name, 1);
  const waiting = await group.action(launchAction, 'EC2', 'AutoScalingGroup');
  return { ...group, waiting, instanceId: String(waiting.detail['EC2InstanceId']) };
}

/** The only instance of a warm pool, which has waited on its hook. */
async function warm(world: AutoScalingEventsWorld, PoolState: WarmPoolState) {
  const group = await openHookedGroup(world);
  const pool = { AutoScalingGroupName: group.name, MinSize: 1, PoolState };
  await world.client.send(new PutWarmPoolCommand(pool));
  const waiting = await group.action(launchAction, 'EC2', 'WarmPool');
  await untilWarmed(world, group.name, 'Warmed:Pending:Wait');
  await complete(world, waiting);
  await untilWarmed(world, group.name, `Warmed:${PoolState}`);
  const instanceId = waiting.detail['EC2InstanceId'];
  // The pool shows its state before EC2 has stopped the instance. A scale-out meanwhile may launch another one.
  await group.event(stateOf(instanceId, PoolState.toLowerCase()));
  return { ...group, waiting, instanceId };
}

// EC2 Auto Scaling user guide, "EventBridge event reference".
const hookEventCases: Cases<AutoScalingEventsWorld> = {
  'a launch that waits on its hook sends a lifecycle action, whose token completes it, and then the launch':
    async (world) => {
      const { name, read, action, waiting, instanceId } = await launch(world);
      const { AutoScalingGroupARN } = await read();
      expect(waiting).toMatchObject({ version: '0', source: 'aws.autoscaling', region: text, account: text });
      expect(waiting.resources).toEqual([AutoScalingGroupARN]);
      expect(waiting.detail).toEqual({
        LifecycleActionToken: text,
        AutoScalingGroupName: name,
        LifecycleHookName: 'join',
        EC2InstanceId: text,
        LifecycleTransition: launching,
        NotificationMetadata: 'made by a contract',
        Origin: 'EC2',
        Destination: 'AutoScalingGroup',
      });
      await complete(world, waiting);
      const launched = await action('EC2 Instance Launch Successful', 'EC2', 'AutoScalingGroup');
      expect(launched.detail).toMatchObject({
        StatusCode: 'InProgress',
        EC2InstanceId: instanceId,
        Cause: text,
        Details: { 'Availability Zone': text, 'Subnet ID': text },
      });
    },
  'a termination that waits on its hook sends a lifecycle action, whose token completes it, and then the termination':
    async (world) => {
      const { settle, action, waiting, instanceId } = await launch(world);
      await complete(world, waiting);
      await settle();
      await world.client.send(
        new TerminateInstanceInAutoScalingGroupCommand({
          InstanceId: instanceId,
          ShouldDecrementDesiredCapacity: true,
        }),
      );
      const leaving = await action(terminateAction, 'AutoScalingGroup', 'EC2');
      expect(leaving.detail).toMatchObject({ EC2InstanceId: instanceId, LifecycleTransition: terminating });
      expect(Object.keys(leaving.detail).toSorted()).toEqual(Object.keys(waiting.detail).toSorted());
      await complete(world, leaving);
      const ended = await action('EC2 Instance Terminate Successful', 'AutoScalingGroup', 'EC2');
      expect(ended.detail).toMatchObject({ StatusCode: 'InProgress', EC2InstanceId: instanceId });
    },
  // EC2 user guide, "State change events for your instances".
  'EC2 sends each state of an instance, with its ARN and nothing of its group': async (world) => {
    const { name, event, action, waiting, instanceId } = await launch(world);
    for (const state of ['pending', 'running']) await event(stateOf(instanceId, state));
    await complete(world, waiting);
    await action('EC2 Instance Launch Successful', 'EC2', 'AutoScalingGroup');
    await scale(world, name, 0);
    await complete(world, await action(terminateAction, 'AutoScalingGroup', 'EC2'));
    for (const state of ['shutting-down', 'terminated']) {
      const change = await event(stateOf(instanceId, state));
      expect(change['detail-type']).toBe('EC2 Instance State-change Notification');
      expect(change.detail).toEqual({ 'instance-id': instanceId, state });
      expect(change.resources).toEqual([expect.stringMatching(new RegExp(`:instance/${instanceId}$`))]);
    }
  },
};

// EC2 Auto Scaling user guide, "Use lifecycle hooks with a warm pool in Auto Scaling group".
const warmPoolCases: Cases<AutoScalingEventsWorld> = {
  'an instance of a warm pool waits on its hook on the way there, and is stopped then': async (world) => {
    const { waiting } = await warm(world, 'Stopped');
    expect(waiting.detail).toMatchObject({ Origin: 'EC2', Destination: 'WarmPool' });
  },
  'an instance leaves a warm pool through the hook of a launch, and is another launch': async (world) => {
    const { name, action, settle, instanceId } = await warm(world, 'Stopped');
    await scale(world, name, 1);
    const leaving = await action(launchAction, 'WarmPool', 'AutoScalingGroup');
    expect(leaving.detail).toMatchObject({ EC2InstanceId: instanceId, LifecycleTransition: launching });
    await complete(world, leaving);
    expect((await settle()).Instances?.map(({ InstanceId }) => InstanceId)).toEqual([instanceId]);
  },
  'a warm pool of running instances keeps them running': async (world) => {
    const { name } = await warm(world, 'Running');
    await world.pass(60);
    await untilWarmed(world, name, 'Warmed:Running');
  },
};

/** What Auto Scaling and EC2 report of the instances of a group. */
export const autoScalingEventCases: Cases<AutoScalingEventsWorld> = { ...hookEventCases, ...warmPoolCases };
