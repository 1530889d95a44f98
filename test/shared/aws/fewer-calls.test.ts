import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { createAutoScaling } from '../../../shared/aws/auto-scaling.ts';
import { withFewerCalls, withFewerCallsWhileWaiting } from '../../../shared/aws/cached.ts';
import type { AutoScaling } from '../../../shared/groups/auto-scaling.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { isTerminatingWait } from '../../../shared/groups/lifecycle-state.ts';
import { groupOf } from '../../support/waiting-group.ts';

/** Auto Scaling that knows one instance in this state, or none; counts how often it is asked. */
function createWorld(lifecycleState?: string) {
  let reads = 0;
  const clock = createManualClock();
  const read = async (instanceId: string) => {
    reads += 1;
    const details = { autoScalingGroupName: 'workers', availabilityZone: 'eu-west-1a', healthy: true };
    return lifecycleState === undefined ? undefined : { instanceId, lifecycleState, ...details };
  };
  const groups: AutoScalingGroup[] = [];
  const listGroups = async () => [...groups];
  const autoScaling = { describeInstance: read, listGroups } as Partial<AutoScaling> as AutoScaling;
  const fewerCalls = withFewerCallsWhileWaiting(autoScaling, { clock, waits: isTerminatingWait });
  return { fewerCalls, clock, groups, reads: () => reads };
}

describe('the passes within twenty seconds', () => {
  it('read a waiting instance once', async () => {
    const { fewerCalls, clock, reads } = createWorld('Terminating:Wait');
    await fewerCalls.describeInstance('i-1');
    clock.advance(19);
    await fewerCalls.describeInstance('i-1');
    expect(reads()).toBe(1);
    clock.advance(1);
    await fewerCalls.describeInstance('i-1');
    expect(reads()).toBe(2);
  });

  it('read a waiting instance again if they need a newer answer', async () => {
    const { fewerCalls, clock, reads } = createWorld('Terminating:Wait');
    await fewerCalls.describeInstance('i-1');
    clock.advance(1);
    await fewerCalls.describeInstance('i-1', clock.now());
    expect(reads()).toBe(2);
  });

  it('do not read an instance that the kept list of groups shows waiting, unless they need a newer answer', async () => {
    const { fewerCalls, clock, groups, reads } = createWorld('Terminating:Proceed');
    groups.push(groupOf({ 'i-1': 'Terminating:Wait', 'i-2': 'InService' }));
    expect(await fewerCalls.describeInstance('i-1')).toMatchObject({
      lifecycleState: 'Terminating:Wait',
      autoScalingGroupName: 'workers',
    });
    expect(reads()).toBe(0);
    expect(await fewerCalls.describeInstance('i-2')).toMatchObject({ lifecycleState: 'Terminating:Proceed' });
    await fewerCalls.describeInstance('i-1', clock.now());
    expect(reads()).toBe(2);
  });

  it.each(['InService', 'Terminating', 'Terminating:Proceed', undefined])(
    'read an instance in the state %s each time, because the next state is near',
    async (state) => {
      const { fewerCalls, reads } = createWorld(state);
      await fewerCalls.describeInstance('i-1');
      await fewerCalls.describeInstance('i-1');
      expect(reads()).toBe(2);
    },
  );
});

/** Auto Scaling with groups of these names; counts how often they are read. */
function createGroups() {
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
  const autoScaling = withFewerCalls(createAutoScaling({ client, clusterName: 'prod' }), clock);
  return { autoScaling, clock, names, reads: () => reads };
}

describe('the kept list of groups', () => {
  it('serves a known group for 20 seconds', async () => {
    const { autoScaling, clock, reads } = createGroups();
    await autoScaling.describeGroup('workers');
    clock.advance(19);
    await autoScaling.describeGroup('workers');
    expect(reads()).toBe(1);
  });

  it('is read again for an unknown group, which may be new or newly tagged', async () => {
    const { autoScaling, clock, names } = createGroups();
    await autoScaling.describeGroup('workers');
    names.push('new');
    clock.advance(5);
    expect(await autoScaling.describeGroup('new')).toMatchObject({ autoScalingGroupName: 'new' });
  });

  it('is read at most once in five seconds for a group that is not tagged', async () => {
    const { autoScaling, clock, reads } = createGroups();
    for (let event = 0; event < 100; event += 1) await autoScaling.describeGroup('theirs');
    expect(reads()).toBe(1);
    clock.advance(5);
    for (let event = 0; event < 100; event += 1) await autoScaling.describeGroup('theirs');
    expect(reads()).toBe(2);
  });
});
