import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../packages/cloud-sandbox/test/aws/support/manual-clock.ts';
import { withFewerCalls } from '../../../shared/aws/fewer-calls.ts';
import type { AutoScaling } from '../../../shared/lifecycle/auto-scaling.ts';

/** Auto Scaling that knows one instance in this state, or none; counts how often it is asked. */
function createWorld(lifecycleState?: string) {
  let reads = 0;
  const clock = createManualClock();
  const read = async (instanceId: string) => {
    reads += 1;
    const details = { autoScalingGroupName: 'workers', availabilityZone: 'eu-west-1a', healthy: true };
    return lifecycleState === undefined ? undefined : { instanceId, lifecycleState, ...details };
  };
  const autoScaling = { describeInstance: read } as Partial<AutoScaling> as AutoScaling;
  const fewerCalls = withFewerCalls(autoScaling, clock);
  return { fewerCalls, clock, reads: () => reads };
}

describe('the passes of twenty seconds', () => {
  it('read an instance that waits once', async () => {
    const { fewerCalls, clock, reads } = createWorld('Terminating:Wait');
    await fewerCalls.describeInstance('i-1');
    clock.advance(19);
    await fewerCalls.describeInstance('i-1');
    expect(reads()).toBe(1);
    clock.advance(1);
    await fewerCalls.describeInstance('i-1');
    expect(reads()).toBe(2);
  });

  it('read an instance that waits again where an older answer is not enough', async () => {
    const { fewerCalls, clock, reads } = createWorld('Terminating:Wait');
    await fewerCalls.describeInstance('i-1');
    clock.advance(1);
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
