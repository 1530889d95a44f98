import { type AutoScalingClient, AutoScalingServiceException } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { createAutoScaling } from '../../../shared/aws/auto-scaling.ts';
import { BusyError } from '../../../shared/groups/auto-scaling.ts';

/** Auto Scaling, answered by this function instead of AWS. */
const answeredBy = (send: (command: { readonly input: Record<string, unknown> }) => Promise<unknown>) =>
  createAutoScaling({
    client: { send } as unknown as AutoScalingClient,
    clusterName: 'prod',
  });

describe('the list of groups', () => {
  it('has the groups of every page', async () => {
    const next: Readonly<Record<string, string>> = { first: 'second', second: 'third' };
    const autoScaling = answeredBy(async ({ input: { NextToken = 'first' } }) => ({
      $metadata: {},
      AutoScalingGroups: [{ AutoScalingGroupName: NextToken, Instances: [], Tags: [] }],
      NextToken: next[String(NextToken)],
    }));
    const names = (await autoScaling.listGroups()).map(({ autoScalingGroupName }) => autoScalingGroupName);
    expect(names).toEqual(['first', 'second', 'third']);
  });
});

describe('an error of Auto Scaling', () => {
  const refusing = (message: string, name = 'ValidationError') =>
    answeredBy(() =>
      Promise.reject(
        new AutoScalingServiceException({
          name,
          message,
          $fault: 'client',
          $metadata: {},
        }),
      ),
    );
  const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'hook', instanceId: 'i-1' };

  it('about no active lifecycle action means that no instance waits', async () => {
    const autoScaling = refusing('No active Lifecycle Action found with instance ID i-1');
    expect(await autoScaling.recordHeartbeat(action)).toBe('not-active');
    expect(await autoScaling.complete(action, 'CONTINUE')).toBe('not-active');
  });

  it('about an instance that is not found means that it has left its group', async () => {
    const autoScaling = refusing('Instance Id not found - No managed instance found for instance ID: i-1');
    expect(await autoScaling.terminate('i-1')).toBe('not-in-group');
  });

  it.each(['ScalingActivityInProgress', 'ResourceContentionFault'])(
    'about an activity in progress (%s) means that nothing was done',
    async (name) => {
      const autoScaling = refusing('Activity 6c2f is in progress.', name);
      await expect(autoScaling.terminate('i-1')).rejects.toThrow(BusyError);
    },
  );

  it('about anything else is an error', async () => {
    const message = '1 validation error detected';
    const autoScaling = refusing(message);
    await expect(autoScaling.recordHeartbeat(action)).rejects.toThrow(message);
    await expect(autoScaling.complete(action, 'CONTINUE')).rejects.toThrow(message);
    await expect(autoScaling.terminate('i-1')).rejects.toThrow(message);
  });
});

it('a hook is completed by the client that tries once, and everything else by the other one', async () => {
  const by: string[] = [];
  const clientOf = (name: string) =>
    ({ send: async () => void by.push(name) }) as unknown as AutoScalingClient;
  const autoScaling = createAutoScaling({
    client: clientOf('usual'),
    completing: clientOf('once'),
    clusterName: 'prod',
  });
  const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'hook', instanceId: 'i-1' };
  await autoScaling.complete(action, 'CONTINUE');
  await autoScaling.recordHeartbeat(action);
  await autoScaling.terminate('i-1');
  expect(by).toEqual(['once', 'usual', 'usual']);
});
