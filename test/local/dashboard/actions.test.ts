import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { actionSchema } from '../../../local/dashboard/action-schema.ts';
import { act } from '../../../local/dashboard/actions.ts';
import { createDroverWorld, membersOf, stateOf, withWorkers } from '../../../local/world/drover-world.ts';
import { putRoll } from '../../../local/world/rolls.ts';

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

  it('pauses, resumes and aborts a roll, and says why it does not', () => {
    const world = createDroverWorld();
    putRoll(world, { workers: { templateId: 'lt-0123456789abcdef0', version: 1, imageId: 'ami-1' } });
    const ask = (deed: 'pause' | 'resume' | 'abort', name = 'june') =>
      act(world, { action: 'roll', name, deed });
    expect(ask('pause')).toContain('no further node is replaced');
    expect(ask('pause')).toBe('Roll june: it is paused.');
    expect(ask('resume')).toContain('goes on within a minute');
    expect(ask('abort')).toContain('its taints and marks go');
    expect(() => ask('resume')).toThrow('Roll june: it is being aborted.');
    expect(() => ask('abort', 'july')).toThrow('There is no roll july.');
  });

  it.each([
    ['another action', { action: 'drop', instanceId: 'i-0123456789abcdef0' }],
    ['no instance id', { action: 'kill', instanceId: 'i-1; rm' }],
    ['a capacity below nothing', { action: 'scale', autoScalingGroupName: 'w', desiredCapacity: -1 }],
    ['half an instance', { action: 'scale', autoScalingGroupName: 'w', desiredCapacity: 0.5 }],
    ['a path instead of a roll', { action: 'roll', name: 'a/../b', deed: 'abort' }],
    ['nothing', undefined],
  ])('is not read from %s', (_, action) => {
    expect(actionSchema.safeParse(action).success).toBe(false);
  });
});
