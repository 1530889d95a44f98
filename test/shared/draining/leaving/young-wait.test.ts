import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLeavingMemory } from '../../../../shared/draining/leaving/memory.ts';
import { sendHeartbeat } from '../../../../shared/draining/leaving/steps/send-heartbeat.ts';
import { isYoungWait } from '../../../../shared/draining/leaving/young-wait.ts';
import type { LeavingNotice } from '../../../../shared/lifecycle/notice.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const startedAt = Date.UTC(2026, 10, 22, 7);
const hook = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' };
const told: LeavingNotice = {
  cause: 'terminating',
  instanceId,
  noticedAt: new Date(startedAt).toISOString(),
  hook: { ...hook, lifecycleActionToken: 'token' },
};
const { hook: _, ...untold } = told;

/** A wait of this age, for an environment that knows this timeout of its hook, or none. */
function isYoung(ageSeconds: number, timeoutSeconds?: number, notice: LeavingNotice = told): boolean {
  const clock = { now: () => startedAt + ageSeconds * 1000 };
  const memory = createLeavingMemory(clock);
  if (timeoutSeconds !== undefined) memory.learnTimeout(hook, timeoutSeconds);
  return isYoungWait({ memory, clock }, { instanceId, notices: [notice] }, { ...hook, instanceId });
}

describe('a wait is young', () => {
  it('for 100 seconds, or for so long that the pass after a killed one comes in time', () => {
    for (const [timeoutSeconds, until] of [
      [7200, 100],
      [300, 100],
      [240, 40],
    ] as const) {
      expect(isYoung(until - 1, timeoutSeconds)).toBe(true);
      expect(isYoung(until, timeoutSeconds)).toBe(false);
    }
  });

  it('only if the environment knows a timeout that is long enough, and the message when the wait began', () => {
    expect(isYoung(0)).toBe(false);
    expect(isYoung(0, 200)).toBe(false);
    expect(isYoung(0, 300, untold)).toBe(false);
    expect(isYoung(0, 300, { ...told, cause: 'swept' })).toBe(false);
    expect(isYoung(-1, 300), 'the clocks differ').toBe(false);
  });
});

/** What happens after a pass, in seconds until the next one: it takes up to 45 and hides for 20, or is killed. */
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 65 }) },
  { weight: 1, arbitrary: fc.integer({ min: 66, max: 180 }) },
);
const pass = fc.record({ gap, environment: fc.nat({ max: 7 }) });

/** The times of the heartbeats of a wait, in seconds since it began. Every environment has learned the timeout of the hook. */
async function heartbeatsOf(
  passes: readonly { readonly gap: number; readonly environment: number }[],
  timeoutSeconds: number,
): Promise<readonly number[]> {
  let seconds = 0;
  const clock = { now: () => startedAt + seconds * 1000 };
  const { context: made } = createNodeContext(startedAt, {});
  const memories = Array.from({ length: 8 }, () => createLeavingMemory(clock));
  const sent: number[] = [];
  const recordHeartbeat = async () => {
    sent.push(seconds);
    return 'recorded' as const;
  };
  const autoScaling = { ...made.autoScaling, recordHeartbeat };
  for (const { gap: until, environment } of passes) {
    const memory = memories[environment] ?? made.memory;
    memory.learnTimeout(hook, timeoutSeconds);
    const last = memory.lastHeartbeat(instanceId);
    if (last) memory.rememberHeartbeat(instanceId, { ...last, heartbeatTimeoutSeconds: timeoutSeconds });
    await sendHeartbeat(
      { ...made, autoScaling, clock, memory },
      { subject: { instanceId, notices: [told] }, notes: [] },
    );
    seconds += until;
  }
  return [...sent, seconds];
}

it('the heartbeats of a wait are never a timeout apart, however long passes take, whether they are killed, and wherever they run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(pass, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 275, max: 7200 }),
      async (passes, timeoutSeconds) => {
        const times = await heartbeatsOf(passes, timeoutSeconds);
        const apart = times.map((time, index) => time - (times[index - 1] ?? 0));
        expect(Math.max(...apart)).toBeLessThan(timeoutSeconds);
      },
    ),
  );
});

it('a timeout of 200 seconds or less gets a heartbeat from the first pass of each environment', async () => {
  const passes = [0, 1, 2, 3].map((environment) => ({ gap: 5, environment }));
  for (const timeoutSeconds of [30, 120, 200])
    expect(await heartbeatsOf(passes, timeoutSeconds)).toEqual([0, 5, 10, 15, 20]);
});
