import { type AutoScalingClient, AutoScalingServiceException } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../packages/cloud-sandbox/test/aws/support/manual-clock.ts';
import { createAutoScaling } from '../../../shared/aws/auto-scaling.ts';

/** Auto Scaling with groups of these names; counts how often they are read. */
function createWorld() {
  const names = ['workers'];
  let reads = 0;
  const clock = createManualClock();
  const send = async () => {
    reads += 1;
    return {
      $metadata: {},
      AutoScalingGroups: names.map((AutoScalingGroupName) => ({
        AutoScalingGroupName,
        Instances: [],
        Tags: [{ Key: 'kubernetes.io/cluster/prod', Value: 'owned' }],
      })),
    };
  };
  const client = { send } as unknown as AutoScalingClient;
  const autoScaling = createAutoScaling({ client, clock, clusterName: 'prod' });
  return { autoScaling, clock, names, reads: () => reads };
}

describe('a group', () => {
  it('that is known is read once for the passes of some seconds', async () => {
    const { autoScaling, clock, reads } = createWorld();
    await autoScaling.describeGroup('workers');
    clock.advance(19);
    await autoScaling.describeGroup('workers');
    expect(reads()).toBe(1);
  });

  it('that is not among those that were read is asked for anew: it may just have been made, or got its tags', async () => {
    const { autoScaling, clock, names } = createWorld();
    await autoScaling.describeGroup('workers');
    names.push('new');
    clock.advance(5);
    expect(await autoScaling.describeGroup('new')).toMatchObject({ autoScalingGroupName: 'new' });
  });

  it('of somebody else costs no more than a call in some seconds, however much happens in it', async () => {
    const { autoScaling, clock, reads } = createWorld();
    for (let event = 0; event < 100; event += 1) await autoScaling.describeGroup('theirs');
    expect(reads()).toBe(1);
    clock.advance(5);
    for (let event = 0; event < 100; event += 1) await autoScaling.describeGroup('theirs');
    expect(reads()).toBe(2);
  });
});

/** Auto Scaling over this function in place of AWS. */
const answeredBy = (send: (command: { readonly input: Record<string, unknown> }) => Promise<unknown>) =>
  createAutoScaling({
    client: { send } as unknown as AutoScalingClient,
    clock: createManualClock(),
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

describe('a ValidationError', () => {
  const refusing = (message: string) =>
    answeredBy(() =>
      Promise.reject(
        new AutoScalingServiceException({
          name: 'ValidationError',
          message,
          $fault: 'client',
          $metadata: {},
        }),
      ),
    );
  const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'hook', instanceId: 'i-1' };

  it('about no active lifecycle action means that nothing waits', async () => {
    const autoScaling = refusing('No active Lifecycle Action found with instance ID i-1');
    expect(await autoScaling.recordHeartbeat(action)).toBe('not-active');
    expect(await autoScaling.complete(action, 'CONTINUE')).toBe('not-active');
  });

  it('about an instance that is not found means that it has left its group', async () => {
    const autoScaling = refusing('Instance Id not found - No managed instance found for instance ID: i-1');
    expect(await autoScaling.terminate('i-1')).toBe('not-in-group');
  });

  it('about anything else is an error', async () => {
    const message = '1 validation error detected';
    const autoScaling = refusing(message);
    await expect(autoScaling.recordHeartbeat(action)).rejects.toThrow(message);
    await expect(autoScaling.complete(action, 'CONTINUE')).rejects.toThrow(message);
    await expect(autoScaling.terminate('i-1')).rejects.toThrow(message);
  });
});
