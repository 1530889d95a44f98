import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryAfterHeartbeat, globalTimeoutSeconds } from '../../../../local/aws/auto-scaling/timeouts.ts';
import { createCloud, createGroup, firstInstanceId, putHook, stateOf, terminate } from '../support/cloud.ts';

// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LifecycleHook.html
test.each([
  [30, 3000],
  [1728, 172_800],
  [1729, 172_800],
  [7200, 172_800],
])('a heartbeat timeout of %i s allows a wait of %i s', (heartbeat, expected) => {
  expect(globalTimeoutSeconds(heartbeat)).toBe(expected);
});

test('a heartbeat never moves the end of a wait past its global deadline', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 30, max: 7200 }),
      fc.nat({ max: 400_000_000 }),
      (heartbeatTimeoutSeconds, now) => {
        const globalDeadline = globalTimeoutSeconds(heartbeatTimeoutSeconds) * 1000;
        const expiry = expiryAfterHeartbeat({ now, heartbeatTimeoutSeconds, globalDeadline });
        expect(expiry).toBeLessThanOrEqual(globalDeadline);
      },
    ),
  );
});

test('however the heartbeats come, the instance waits no longer than the global timeout', () => {
  const beats = fc.array(fc.integer({ min: 1, max: 29 }), { maxLength: 200 });
  fc.assert(
    fc.property(beats, (pauses) => {
      const cloud = createCloud();
      createGroup(cloud);
      putHook(cloud, { HeartbeatTimeout: 30 });
      const instanceId = firstInstanceId(cloud);
      terminate(cloud, instanceId);
      const begun = cloud.clock.now();
      for (const pause of pauses) {
        cloud.advance(pause);
        if (stateOf(cloud, instanceId) !== 'Terminating:Wait') break;
        cloud.autoScaling.operations.RecordLifecycleActionHeartbeat({
          AutoScalingGroupName: 'workers',
          LifecycleHookName: 'drain',
          InstanceId: instanceId,
        });
      }
      const waited = (cloud.clock.now() - begun) / 1000;
      const isWaiting = stateOf(cloud, instanceId) === 'Terminating:Wait';
      expect(isWaiting).toBe(waited < 3000);
    }),
    { numRuns: 20 },
  );
});
