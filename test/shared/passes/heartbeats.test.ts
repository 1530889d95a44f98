import { createVirtualClock, type VirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { createLeavingMemory } from '../../../shared/leaving/memory.ts';
import { endHeartbeats, heartbeatNow, keepHeartbeats } from '../../../shared/passes/heartbeats.ts';
import { createNodeContext } from '../../support/leaving-context.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };

async function elapse(clock: VirtualClock, seconds: number): Promise<void> {
  const end = clock.now() + seconds * 1000;
  do await new Promise((resume) => setImmediate(resume));
  while (clock.step(end));
  clock.moveTo(end);
}

/** A batch whose passes do nothing, so the keeper sends all heartbeats but the first. */
async function createBatch(answer: () => Promise<'recorded' | 'not-active'> = async () => 'recorded') {
  const clock = createVirtualClock(0);
  const { context: made } = createNodeContext(0, {});
  const seconds: number[] = [];
  const recordHeartbeat = () => {
    seconds.push(clock.now() / 1000);
    return answer();
  };
  const memory = createLeavingMemory(clock);
  const context = { ...made, clock, memory, autoScaling: { ...made.autoScaling, recordHeartbeat } };
  await heartbeatNow(context, action);
  const controller = new AbortController();
  const keeper = keepHeartbeats(context, { instanceIds: [instanceId], signal: controller.signal });
  return { clock, context, seconds, keeper, abort: () => controller.abort() };
}

describe('beside the passes of a batch', () => {
  it('a heartbeat is sent whenever a third of the timeout has passed, even if the passes hang', async () => {
    const { clock, seconds } = await createBatch();
    await elapse(clock, 31);
    expect(seconds).toEqual([0, 10, 20, 30]);
  });

  it('a heartbeat that fails is sent again after five seconds', async () => {
    let calls = 0;
    const { clock, seconds } = await createBatch(() => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('throttled')) : Promise.resolve('recorded');
    });
    await elapse(clock, 20);
    expect(seconds).toEqual([0, 10, 16]);
  });

  it('none is sent for a wait that has ended', async () => {
    const { clock, context, seconds } = await createBatch();
    endHeartbeats(context, instanceId);
    await elapse(clock, 60);
    expect(seconds).toEqual([0]);
  });

  it('none follows one that Auto Scaling answers with an error because nothing waits', async () => {
    let calls = 0;
    const { clock, seconds } = await createBatch(async () => {
      calls += 1;
      return calls === 1 ? 'recorded' : 'not-active';
    });
    await elapse(clock, 60);
    expect(seconds).toEqual([0, 10]);
  });

  it('none is sent once the last pass has ended, or the time of the invocation is up', async () => {
    const ended = await createBatch();
    await ended.keeper.end();
    const late = await createBatch();
    late.abort();
    for (const { clock, seconds } of [ended, late]) {
      await elapse(clock, 60);
      expect(seconds).toEqual([0]);
    }
  });

  it('the batch waits for a heartbeat in flight, because Lambda freezes the function after its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<'recorded'>();
    let calls = 0;
    const { clock, keeper } = await createBatch(() => {
      calls += 1;
      return calls === 1 ? Promise.resolve('recorded') : promise;
    });
    await elapse(clock, 11);
    let hasEnded = false;
    const end = keeper.end().then(() => (hasEnded = true));
    await elapse(clock, 1);
    expect(hasEnded).toBe(false);
    resolve('recorded');
    await end;
  });
});

it('a heartbeat that is answered late does not hide one that was sent after it', async () => {
  const { context: made } = createNodeContext(0, {});
  const memory = createLeavingMemory(made.clock);
  const answers: (() => void)[] = [];
  const recordHeartbeat = () =>
    new Promise<'recorded'>((resolve) => void answers.push(() => resolve('recorded')));
  const context = { ...made, memory, autoScaling: { ...made.autoScaling, recordHeartbeat } };
  const late = heartbeatNow({ ...context, clock: { now: () => 1000 } }, action);
  const next = heartbeatNow({ ...context, clock: { now: () => 9000 } }, action);
  answers[1]?.();
  await next;
  answers[0]?.();
  await late;
  expect(memory.lastHeartbeat(instanceId)?.sentAt).toBe(9000);
});
