import {
  CompleteLifecycleActionCommand,
  PutLifecycleHookCommand,
  RecordLifecycleActionHeartbeatCommand,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { type AutoScalingWorld, openGroup } from './world.ts';

const hookName = 'wait';
const shortest = 30;

/** How long AWS takes from a call to a state that is not a wait: launches and terminations are done by then. */
const soon = 180;

type Transition = 'LAUNCHING' | 'TERMINATING';

/** A group of one instance, with a hook that each instance passes from now on. */
async function openWaiting(
  world: AutoScalingWorld,
  transition: Transition,
  { HeartbeatTimeout, DefaultResult = 'ABANDON' }: { HeartbeatTimeout: number; DefaultResult?: string },
) {
  const { client } = world;
  const group = await openGroup(world, { MaxSize: 2, DesiredCapacity: 1 });
  const [{ InstanceId: first = '' } = {}] = (await group.settle()).Instances ?? [];
  const AutoScalingGroupName = group.name;
  const LifecycleTransition = `autoscaling:EC2_INSTANCE_${transition}`;
  const hook = { LifecycleHookName: hookName, LifecycleTransition, HeartbeatTimeout, DefaultResult };
  await client.send(new PutLifecycleHookCommand({ AutoScalingGroupName, ...hook }));
  const states = async (): Promise<Readonly<Record<string, string | undefined>>> =>
    Object.fromEntries(
      ((await group.read()).Instances ?? []).map(({ InstanceId = '', LifecycleState }) => [
        InstanceId,
        LifecycleState,
      ]),
    );
  /** Lets time pass until an instance is in the state; gives its id. */
  const until = async (state: string): Promise<string> => {
    for (let second = 0; second < soon; second += 1) {
      const [id] = Object.entries(await states()).find(([, one]) => one === state) ?? [];
      if (id !== undefined) return id;
      await world.pass(1);
    }
    throw new Error(`no instance was ${state} within ${soon} s: ${JSON.stringify(await states())}`);
  };
  const action = (InstanceId: string) => ({ AutoScalingGroupName, LifecycleHookName: hookName, InstanceId });
  return {
    first,
    states,
    until,
    /** Begins the wait of an instance. */
    begin: async (): Promise<string> => {
      if (transition === 'LAUNCHING') {
        await client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 2 }));
        return await until('Pending:Wait');
      }
      const ShouldDecrementDesiredCapacity = true;
      await client.send(
        new TerminateInstanceInAutoScalingGroupCommand({ InstanceId: first, ShouldDecrementDesiredCapacity }),
      );
      return await until('Terminating:Wait');
    },
    complete: (id: string, LifecycleActionResult: string) =>
      client.send(new CompleteLifecycleActionCommand({ ...action(id), LifecycleActionResult })),
    heartbeat: (id: string) => client.send(new RecordLifecycleActionHeartbeatCommand(action(id))),
  };
}

/** Hooks as instances pass them: https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks.html */
export const autoScalingWaitCases: Cases<AutoScalingWorld> = {
  'an instance that launches waits on its hook, and is in service once the action is completed': async (
    world,
  ) => {
    const { begin, complete, until, states } = await openWaiting(world, 'LAUNCHING', {
      HeartbeatTimeout: 3600,
    });
    const id = await begin();
    await world.pass(60);
    expect((await states())[id]).toBe('Pending:Wait');
    await complete(id, 'CONTINUE');
    for (let second = 0; second < soon && (await states())[id] !== 'InService'; second += 1)
      await world.pass(1);
    expect((await states())[id]).toBe('InService');
    expect(await until('InService')).toBeDefined();
  },
  'an instance whose launch is abandoned is terminated, and replaced': async (world) => {
    const { begin, complete, until } = await openWaiting(world, 'LAUNCHING', { HeartbeatTimeout: 3600 });
    const abandoned = await begin();
    await complete(abandoned, 'ABANDON');
    let next = abandoned;
    for (let second = 0; second < soon && next === abandoned; second += 1) {
      await world.pass(1);
      next = await until('Pending:Wait');
    }
    expect(next).not.toBe(abandoned);
    await complete(next, 'CONTINUE');
  },
  'an instance that terminates is gone once the action is completed, whatever the result': async (world) => {
    const { begin, complete, states } = await openWaiting(world, 'TERMINATING', { HeartbeatTimeout: 3600 });
    const id = await begin();
    await complete(id, 'ABANDON');
    for (let second = 0; second < soon && id in (await states()); second += 1) await world.pass(1);
    expect(await states()).not.toHaveProperty(id);
  },
  'a wait without a heartbeat ends after the heartbeat timeout, with the default result': async (world) => {
    const settings = { HeartbeatTimeout: shortest, DefaultResult: 'CONTINUE' };
    const { begin, states } = await openWaiting(world, 'LAUNCHING', settings);
    const id = await begin();
    await world.pass(shortest + 90);
    expect((await states())[id]).toBe('InService');
  },
  'a heartbeat restarts the timeout': async (world) => {
    const settings = { HeartbeatTimeout: 120, DefaultResult: 'CONTINUE' };
    const { begin, heartbeat, states } = await openWaiting(world, 'TERMINATING', settings);
    const id = await begin();
    for (let count = 0; count < 3; count += 1) {
      await world.pass(60);
      await heartbeat(id);
    }
    await world.pass(30);
    expect((await states())[id]).toBe('Terminating:Wait');
    await world.pass(240);
    expect(await states()).not.toHaveProperty(id);
  },
  // "Keep the instance in a wait state": at most a hundred heartbeat timeouts.
  'heartbeats keep no instance waiting past the global timeout': async (world) => {
    const { begin, heartbeat, states } = await openWaiting(world, 'TERMINATING', {
      HeartbeatTimeout: shortest,
    });
    const id = await begin();
    const globalTimeout = 100 * shortest;
    for (let second = 0; second < globalTimeout - 120; second += 20) {
      await heartbeat(id);
      await world.pass(20);
    }
    expect((await states())[id]).toBe('Terminating:Wait');
    // Still in time for the heartbeat timeout, and too late for the global one.
    await heartbeat(id);
    await world.pass(300);
    expect(await states()).not.toHaveProperty(id);
  },
  'a heartbeat and a result are refused if no instance waits on the hook': async (world) => {
    const { first, heartbeat, complete } = await openWaiting(world, 'TERMINATING', {
      HeartbeatTimeout: 3600,
    });
    await expect(heartbeat(first)).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(complete(first, 'CONTINUE')).rejects.toMatchObject({ name: 'ValidationError' });
  },
};
