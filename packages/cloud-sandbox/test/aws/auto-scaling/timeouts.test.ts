import * as fc from 'fast-check';
import { expect } from 'vitest';
import { expiryAfterHeartbeat, globalTimeoutSeconds } from '../../../src/aws/auto-scaling/timeouts.ts';
import { createCloud, createGroup, firstInstanceId, putHook, stateOf, terminate } from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

const page = 'API_LifecycleHook, GlobalTimeout';

hookRule('a wait')('lasts at most a hundred heartbeats and two days', page, () => {
  const heartbeats = [30, 1728, 1729, 7200];
  expect(heartbeats.map(globalTimeoutSeconds)).toEqual([3000, 172_800, 172_800, 172_800]);
});

hookRule('a heartbeat')('never moves the end of a wait past its global deadline', page, () => {
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

hookRule('an instance')('waits no longer than the global timeout, whatever the heartbeats', page, () => {
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
