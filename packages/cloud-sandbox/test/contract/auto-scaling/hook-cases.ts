import {
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  type PutLifecycleHookType,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { type AutoScalingWorld, inOrder, openGroup } from './world.ts';

const invalid = { name: 'ValidationError' };
const terminating = 'autoscaling:EC2_INSTANCE_TERMINATING';
const launching = 'autoscaling:EC2_INSTANCE_LAUNCHING';

async function openHooks(world: AutoScalingWorld) {
  const group = await openGroup(world);
  const AutoScalingGroupName = group.name;
  const put = (LifecycleHookName: string, settings: Partial<PutLifecycleHookType> = {}) =>
    world.client.send(
      new PutLifecycleHookCommand({
        AutoScalingGroupName,
        LifecycleHookName,
        LifecycleTransition: terminating,
        ...settings,
      }),
    );
  const describe = async (LifecycleHookNames?: string[]) =>
    (
      await world.client.send(
        new DescribeLifecycleHooksCommand({
          AutoScalingGroupName,
          ...(LifecycleHookNames && { LifecycleHookNames }),
        }),
      )
    ).LifecycleHooks ?? [];
  const remove = (LifecycleHookName: string) =>
    world.client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  return { ...group, put, describe, remove };
}

/** Hooks as they are configured: PutLifecycleHook, DescribeLifecycleHooks, DeleteLifecycleHook. */
export const autoScalingHookCases: Cases<AutoScalingWorld> = {
  'a hook has a timeout of an hour and the result ABANDON by default': async (world) => {
    const { name, put, describe } = await openHooks(world);
    await put('drain');
    const [hook] = await describe();
    expect(hook).toMatchObject({
      LifecycleHookName: 'drain',
      AutoScalingGroupName: name,
      LifecycleTransition: terminating,
      HeartbeatTimeout: 3600,
      DefaultResult: 'ABANDON',
    });
  },
  // LifecycleHook, GlobalTimeout: "The maximum is 172800 seconds (48 hours) or 100 times HeartbeatTimeout, whichever is
  // smaller."
  'the global timeout is a hundred heartbeat timeouts, at most two days': async (world) => {
    const { put, describe } = await openHooks(world);
    await put('short', { HeartbeatTimeout: 60 });
    await put('long', { HeartbeatTimeout: 3600 });
    const timeouts = (await describe()).map((hook) => `${hook.LifecycleHookName} ${hook.GlobalTimeout}`);
    expect(inOrder(timeouts)).toEqual(['long 172800', 'short 6000']);
  },
  'a hook can be found by its name': async (world) => {
    const { put, describe } = await openHooks(world);
    await put('drain');
    await put('join', { LifecycleTransition: launching });
    expect(inOrder((await describe()).map(({ LifecycleHookName }) => LifecycleHookName))).toEqual([
      'drain',
      'join',
    ]);
    expect(await describe(['join'])).toMatchObject([
      { LifecycleHookName: 'join', LifecycleTransition: launching },
    ]);
  },
  'an update of a hook keeps the settings that it omits': async (world) => {
    const { put, describe } = await openHooks(world);
    await put('drain', { NotificationMetadata: 'mine', HeartbeatTimeout: 300, DefaultResult: 'ABANDON' });
    await put('drain', { HeartbeatTimeout: 900, DefaultResult: 'CONTINUE' });
    expect(await describe()).toMatchObject([
      { HeartbeatTimeout: 900, DefaultResult: 'CONTINUE', NotificationMetadata: 'mine' },
    ]);
  },
  'a group can be created with hooks': async (world) => {
    const hook = { LifecycleHookName: 'join', LifecycleTransition: launching, HeartbeatTimeout: 120 };
    const { name } = await openGroup(world, { LifecycleHookSpecificationList: [hook] });
    const { LifecycleHooks } = await world.client.send(
      new DescribeLifecycleHooksCommand({ AutoScalingGroupName: name }),
    );
    expect(LifecycleHooks).toMatchObject([hook]);
  },
  'a hook is deleted by its name': async (world) => {
    const { put, describe, remove } = await openHooks(world);
    await put('drain');
    await put('other');
    await remove('drain');
    expect((await describe()).map(({ LifecycleHookName }) => LifecycleHookName)).toEqual(['other']);
  },
  'a missing hook cannot be deleted': async (world) => {
    const { remove } = await openHooks(world);
    await expect(remove('none')).rejects.toMatchObject(invalid);
  },
  'hooks of a missing group are refused': async ({ client }) => {
    const AutoScalingGroupName = newName();
    const hook = { AutoScalingGroupName, LifecycleHookName: 'x', LifecycleTransition: terminating };
    await expect(client.send(new PutLifecycleHookCommand(hook))).rejects.toMatchObject(invalid);
    await expect(
      client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName })),
    ).rejects.toMatchObject(invalid);
  },
  // PutLifecycleHook, HeartbeatTimeout: "The range is from 30 to 7200 seconds."
  'a heartbeat timeout is from 30 to 7,200 seconds': async (world) => {
    const { put } = await openHooks(world);
    for (const HeartbeatTimeout of [29, 7201])
      await expect(put('drain', { HeartbeatTimeout })).rejects.toMatchObject(invalid);
    for (const HeartbeatTimeout of [30, 7200]) await put('drain', { HeartbeatTimeout });
  },
  'a default result is CONTINUE or ABANDON': async (world) => {
    const { put } = await openHooks(world);
    await expect(put('drain', { DefaultResult: 'WAIT' })).rejects.toMatchObject(invalid);
  },
  'a lifecycle transition is launching or terminating': async (world) => {
    const { put } = await openHooks(world);
    await expect(
      put('drain', { LifecycleTransition: 'autoscaling:EC2_INSTANCE_STOPPING' }),
    ).rejects.toMatchObject(invalid);
  },
  // PutLifecycleHook, LifecycleHookName: its pattern.
  'the name of a hook has letters, digits, -, _ and /': async (world) => {
    const { put } = await openHooks(world);
    for (const name of ['a b', 'a.b', 'ä']) await expect(put(name), name).rejects.toMatchObject(invalid);
    await put('drover/drain_1-2');
  },
  'a new hook needs a transition': async (world) => {
    const { put } = await openHooks(world);
    await expect(put('drain', { LifecycleTransition: undefined })).rejects.toMatchObject(invalid);
  },
};
