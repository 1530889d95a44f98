import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { actionSchema } from '../../../local/dashboard/action-schema.ts';
import { act } from '../../../local/dashboard/actions.ts';
import { createDroverWorld, membersOf, stateOf, withWorkers } from '../../../local/world/drover-world.ts';

describe('a button', () => {
  it('terminates an instance through Auto Scaling, which replaces it', async () => {
    const world = createDroverWorld();
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    expect(act(world, { action: 'terminate', instanceId })).toContain(instanceId);
    await world.timeline.pass(2);
    expect(stateOf(world, instanceId)).toMatch(/^Terminating/);
    expect(membersOf(world)).toHaveLength(2);
  });

  it('warns a spot instance', async () => {
    const world = createDroverWorld();
    const [instanceId = ''] = await withWorkers(world, { size: 1, spot: true });
    act(world, { action: 'interrupt', instanceId });
    await world.timeline.pass(130);
    expect(world.account.ec2.instances.find(instanceId)?.state).not.toBe('running');
  });

  it('does not interrupt what is not on Spot', async () => {
    const world = createDroverWorld();
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    expect(() => act(world, { action: 'interrupt', instanceId })).toThrow(AwsError);
  });

  it('kills an instance without a warning', async () => {
    const world = createDroverWorld();
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    act(world, { action: 'kill', instanceId });
    expect(world.account.ec2.instances.find(instanceId)?.state).toBe('shutting-down');
  });

  it.each(['kill', 'interrupt'] as const)(
    'refuses to %s an instance that was killed in another tab, and does not say that it did it',
    async (action) => {
      const world = createDroverWorld();
      const [instanceId = ''] = await withWorkers(world, { size: 1, spot: true });
      act(world, { action: 'kill', instanceId });
      expect(() => act(world, { action, instanceId })).toThrow(`${instanceId} is shutting-down already`);
      expect(() => act(world, { action, instanceId })).toThrow(AwsError);
    },
  );

  it('sets the desired capacity, within the bounds of the group', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const scale = (desiredCapacity: number) =>
      act(world, { action: 'scale', autoScalingGroupName: 'workers', desiredCapacity });
    scale(2);
    await world.timeline.pass(5);
    expect(membersOf(world)).toHaveLength(2);
    expect(() => scale(11)).toThrow(AwsError);
  });

  it.each([
    ['another action', { action: 'drop', instanceId: 'i-0123456789abcdef0' }],
    ['no instance id', { action: 'kill', instanceId: 'i-1; rm' }],
    ['a capacity below nothing', { action: 'scale', autoScalingGroupName: 'w', desiredCapacity: -1 }],
    ['half an instance', { action: 'scale', autoScalingGroupName: 'w', desiredCapacity: 0.5 }],
    ['nothing', undefined],
  ])('is not read from %s', (_, action) => {
    expect(actionSchema.safeParse(action).success).toBe(false);
  });
});
