import { SetInstanceHealthCommand, UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { type AutoScalingWorld, openGroup } from './world.ts';

const invalid = { name: 'ValidationError' };
const policy = (MinHealthyPercentage: number, MaxHealthyPercentage: number) => ({
  InstanceMaintenancePolicy: { MinHealthyPercentage, MaxHealthyPercentage },
});

/** Instance maintenance policies: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceMaintenancePolicy.html */
export const autoScalingMaintenanceCases: Cases<AutoScalingWorld> = {
  'a group shows its instance maintenance policy until both percentages are set to -1': async (world) => {
    const { name, read } = await openGroup(world, policy(90, 120));
    const update = (change: ReturnType<typeof policy>) =>
      world.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: name, ...change }));
    expect(await read()).toMatchObject(policy(90, 120));
    await update(policy(100, 110));
    expect(await read()).toMatchObject(policy(100, 110));
    await update(policy(-1, -1));
    expect((await read()).InstanceMaintenancePolicy).toBeUndefined();
  },
  'an instance maintenance policy outside its ranges is refused': async (world) => {
    for (const [minimum, maximum] of [
      [101, 110],
      [90, 99],
      [90, 201],
      [0, 101],
      [-1, 100],
      [90, -1],
    ] as const)
      await expect(openGroup(world, policy(minimum, maximum))).rejects.toMatchObject(invalid);
  },
  'an instance maintenance policy needs both percentages': async (world) => {
    for (const half of [{ MinHealthyPercentage: 100 }, { MaxHealthyPercentage: 110 }])
      await expect(openGroup(world, { InstanceMaintenancePolicy: half })).rejects.toMatchObject(invalid);
  },
  'a maximum instance lifetime is 0 or at least a day': async (world) => {
    const { read } = await openGroup(world, { MaxInstanceLifetime: 86_400 });
    expect((await read()).MaxInstanceLifetime).toBe(86_400);
    for (const MaxInstanceLifetime of [1, 86_399])
      await expect(openGroup(world, { MaxInstanceLifetime })).rejects.toMatchObject(invalid);
  },
  'a group that launches before it terminates keeps an unhealthy instance until another serves': async (
    world,
  ) => {
    const { settle, read } = await openGroup(world, {
      MaxSize: 1,
      DesiredCapacity: 1,
      HealthCheckGracePeriod: 0,
      ...policy(100, 110),
    });
    const [{ InstanceId = '' } = {}] = (await settle()).Instances ?? [];
    await world.client.send(new SetInstanceHealthCommand({ InstanceId, HealthStatus: 'Unhealthy' }));
    let most = 0;
    for (let second = 0; second < 120; second += 1) {
      await world.pass(1);
      const { Instances = [] } = await read();
      const serving = Instances.filter(({ LifecycleState }) => LifecycleState === 'InService');
      expect(serving.length).toBeGreaterThanOrEqual(1);
      most = Math.max(most, Instances.length);
    }
    expect(most).toBe(2);
    expect((await settle()).Instances?.map((one) => one.InstanceId)).not.toContain(InstanceId);
  },
};
