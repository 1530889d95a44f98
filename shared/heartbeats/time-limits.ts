import type { TimerClock } from '../base/clock.ts';
import { withinTime } from '../base/within-time.ts';
import type { HeartbeatContext } from './pass.ts';

type Calls = Pick<HeartbeatContext, 'autoScaling' | 'ec2'>;

/** At most two reads come before a heartbeat. */
const readMilliseconds = 1000;
const heartbeatMilliseconds = 1500;

/**
 * The same calls, with a limit each, so that two reads that hang leave time for the heartbeat: a pass has four seconds. Without the limits,
 * waits were lost although Auto Scaling accepted heartbeats, because EC2 did not answer.
 */
export function withTimeLimits(clock: TimerClock, { autoScaling, ec2 }: Calls): Calls {
  const read = <Value>(answer: Promise<Value>) => withinTime(clock, readMilliseconds, answer);
  return {
    autoScaling: {
      describeInstance: (...input) => read(autoScaling.describeInstance(...input)),
      describeGroup: (name) => read(autoScaling.describeGroup(name)),
      describeHooks: (name) => read(autoScaling.describeHooks(name)),
      recordHeartbeat: (action) =>
        withinTime(clock, heartbeatMilliseconds, autoScaling.recordHeartbeat(action)),
    },
    ec2: { describeInstance: (instanceId) => read(ec2.describeInstance(instanceId)) },
  };
}
