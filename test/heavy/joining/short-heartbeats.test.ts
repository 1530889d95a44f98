import { describe, expect, it } from 'vitest';
import { bothFaults, joiningFaultNamed, joinThrough, killsEvery } from '../../support/joining-faults.ts';

/** Kubelets are at each step of a join when the faults begin, and others are launched in their middle. */
const waves = [
  { atSecond: -8, count: 10 },
  { atSecond: 60, count: 10 },
] as const;
const size = 20;

/** The group is older than what Auto Scaling's answers are behind: an event of an unknown group is not Drover's. */
const terms = { faultSeconds: 180, groupAgeSeconds: 300 };

const faults = {
  apiServerHangs: joiningFaultNamed('the API server hangs'),
  writesFail: joiningFaultNamed('the API server answers reads, and writes fail'),
  listsAreBehind: joiningFaultNamed('lists of the API server are five minutes behind'),
  awsIsBehind: joiningFaultNamed('Auto Scaling and EC2 are a minute behind'),
  awsThrottles: joiningFaultNamed('Auto Scaling and EC2 throttle'),
  noHeartbeats: joiningFaultNamed('RecordLifecycleActionHeartbeat is denied'),
  twice: joiningFaultNamed('events and messages come twice'),
  runsTwice: joiningFaultNamed('two runs of certificate-requests start at once'),
} as const;

const joined = /is Ready: its hook is completed/;

describe('20 nodes with short heartbeat timeouts, in three minutes of two faults at once', () => {
  it.each([
    { seconds: 30, fault: bothFaults(faults.apiServerHangs, faults.twice) },
    { seconds: 120, fault: bothFaults(faults.apiServerHangs, faults.twice) },
    { seconds: 30, fault: bothFaults(faults.listsAreBehind, faults.runsTwice) },
    { seconds: 30, fault: bothFaults(faults.awsIsBehind, faults.writesFail) },
    { seconds: 30, fault: bothFaults(faults.awsIsBehind, killsEvery(120)) },
    { seconds: 120, fault: bothFaults(faults.awsIsBehind, killsEvery(120)) },
    { seconds: 120, fault: bothFaults(killsEvery(120), faults.twice) },
  ])('all join, and none is replaced: $seconds s, $fault.name', async ({ seconds, fault }) => {
    const { served, ever, lastWords, strikes } = await joinThrough(fault, waves, {
      ...terms,
      heartbeatTimeoutSeconds: seconds,
    });
    if (fault.strike) expect(strikes).toBeGreaterThan(0);
    expect(ever.size).toBe(size);
    expect(served).toEqual(ever);
    for (const instanceId of served) expect(lastWords(instanceId)).toMatch(joined);
  });

  it.each([
    { seconds: 120, fault: bothFaults(faults.noHeartbeats, faults.writesFail) },
    { seconds: 120, fault: bothFaults(faults.awsThrottles, faults.writesFail) },
  ])(
    'each joins, or if no heartbeat came in time, the log says how its wait ended: $seconds s, $fault.name',
    async ({ seconds, fault }) => {
      const { served, ever, lastWords, strikes } = await joinThrough(fault, waves, {
        ...terms,
        heartbeatTimeoutSeconds: seconds,
      });
      expect(strikes).toBeGreaterThan(0);
      expect(served.size).toBe(size);
      expect(ever.size).toBeGreaterThan(size);
      for (const instanceId of served) expect(lastWords(instanceId)).toMatch(joined);
      for (const instanceId of ever)
        if (!served.has(instanceId))
          expect(lastWords(instanceId)).toMatch(
            /it is not in an Auto Scaling group|it waits no longer \(Terminating|its launch is abandoned/,
          );
    },
  );
});
