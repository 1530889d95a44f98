import {
  DescribeInstanceRefreshesCommand,
  SetDesiredCapacityCommand,
  StartInstanceRefreshCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { typeIn } from '../auto-scaling/world.ts';
import type { ReceivedEvent } from '../auto-scaling-events/inbox.ts';
import { complete, launchAction, openHookedGroup, terminateAction } from '../auto-scaling-events/world.ts';
import { type EtcdGroupsWorld, instancesOf } from './world.ts';

const idOf = ({ detail }: ReceivedEvent): string => String(detail['EC2InstanceId']);

/** A group with hooks whose instances all wait on the hook of their launch, with the events of their waits. */
async function launchTogether(world: EtcdGroupsWorld, size: number) {
  const group = await openHookedGroup(world, { MaxSize: size });
  const { name, event, read } = group;
  await world.client.send(
    new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity: size }),
  );
  const waits: ReceivedEvent[] = [];
  const nextLaunch = async (): Promise<ReceivedEvent> => {
    const known = new Set(waits.map(idOf));
    const next = await event(
      (one) =>
        one['detail-type'] === launchAction &&
        one.detail['AutoScalingGroupName'] === name &&
        !known.has(idOf(one)),
    );
    waits.push(next);
    return next;
  };
  while (waits.length < size) await nextLaunch();
  const states = async () =>
    new Map(
      ((await read()).Instances ?? []).map(({ InstanceId, LifecycleState }) => [InstanceId, LifecycleState]),
    );
  const until = async (id: string, state: string | undefined): Promise<void> => {
    for (let second = 0; second < 600 && (await states()).get(id) !== state; second += 1) await world.pass(1);
    expect((await states()).get(id)).toBe(state);
  };
  return { ...group, waits, nextLaunch, states, until };
}

/** The same with all in service. */
async function serve(world: EtcdGroupsWorld, size: number) {
  const group = await launchTogether(world, size);
  for (const wait of group.waits) await complete(world, wait);
  for (const wait of group.waits) await group.until(idOf(wait), 'InService');
  return { ...group, ids: group.waits.map(idOf) };
}

/** Members come and go one at a time, on hooks. */
export const memberCases: Cases<EtcdGroupsWorld> = {
  'three instances that launch together wait, and enter service one at a time as their waits end': async (
    world,
  ) => {
    const { waits, states, until } = await launchTogether(world, 3);
    for (const wait of waits) await until(idOf(wait), 'Pending:Wait');
    for (const [index, wait] of waits.entries()) {
      await complete(world, wait);
      await until(idOf(wait), 'InService');
      const serving = [...(await states()).values()].filter((state) => state === 'InService');
      expect(serving).toHaveLength(index + 1);
    }
  },
  'an instance that is terminated waits while the others serve, and its replacement waits on the hook of its launch':
    async (world) => {
      const { ids, event, states, until, nextLaunch } = await serve(world, 3);
      const [leaver = '', ...staying] = ids;
      await world.client.send(
        new TerminateInstanceInAutoScalingGroupCommand({
          InstanceId: leaver,
          ShouldDecrementDesiredCapacity: false,
        }),
      );
      const leaving = await event((one) => one['detail-type'] === terminateAction && idOf(one) === leaver);
      expect((await states()).get(leaver)).toBe('Terminating:Wait');
      await complete(world, leaving);
      const joining = await nextLaunch();
      await until(idOf(joining), 'Pending:Wait');
      const now = await states();
      for (const id of staying) expect(now.get(id)).toBe('InService');
      await complete(world, joining);
      await until(idOf(joining), 'InService');
      await until(leaver, undefined);
    },
  // EC2 Auto Scaling user guide, "Replace root volumes during instance refresh".
  'an instance refresh that replaces root volumes keeps the instance, and waits on both of its hooks': async (
    world,
  ) => {
    const { name, template, ids, event, until } = await serve(world, 1);
    const [id = ''] = ids;
    const [before] = await instancesOf(world, [id]);
    const { InstanceRefreshId: refresh } = await world.client.send(
      new StartInstanceRefreshCommand({
        AutoScalingGroupName: name,
        Strategy: 'ReplaceRootVolume',
        DesiredConfiguration: {
          MixedInstancesPolicy: {
            LaunchTemplate: {
              LaunchTemplateSpecification: { LaunchTemplateId: template.id, Version: '1' },
              Overrides: [{ InstanceType: typeIn(world), ImageId: world.imageId }],
            },
          },
        },
        Preferences: { MinHealthyPercentage: 0 },
      }),
    );
    const replacing = (kind: string) => (one: ReceivedEvent) =>
      one['detail-type'] === kind && idOf(one) === id && one.detail['Action'] === 'ReplaceRootVolume';
    const leaving = await event(replacing(terminateAction));
    await until(id, 'ReplacingRootVolume:Wait');
    expect((await instancesOf(world, [id]))[0]?.volume).toBe(before?.volume);
    await complete(world, leaving);
    await complete(world, await event(replacing(launchAction)));
    await until(id, 'InService');
    const [after] = await instancesOf(world, [id]);
    expect(after).toEqual({ ...before, volume: expect.stringMatching(/^vol-/) as string });
    expect(after?.volume).not.toBe(before?.volume);
    const read = async () => {
      const { InstanceRefreshes = [] } = await world.client.send(
        new DescribeInstanceRefreshesCommand({
          AutoScalingGroupName: name,
          InstanceRefreshIds: refresh === undefined ? [] : [refresh],
        }),
      );
      return InstanceRefreshes[0]?.Status;
    };
    for (let second = 0; second < 600 && (await read()) !== 'Successful'; second += 1) await world.pass(1);
    expect(await read()).toBe('Successful');
  },
};
