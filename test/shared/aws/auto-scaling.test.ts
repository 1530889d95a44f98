import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
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
