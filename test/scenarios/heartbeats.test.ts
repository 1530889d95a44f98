import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../local/world/workloads.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { untilGone } from '../support/observed-instance.ts';

const heartbeat = 'autoscaling RecordLifecycleActionHeartbeat';
const throttling: Strike = {
  kind: 'aws-error',
  error: new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 }),
};

/** Counts the heartbeats that reach AWS. */
function createCounter() {
  const sent: string[] = [];
  const onCall = ({ caller, what }: CallInFlight): void => {
    if (what === heartbeat) sent.push(caller);
  };
  return { sent, onCall };
}

/** Leaves that a budget holds for longer than the timeout of their hook. */
async function heldLeaves(
  world: DroverWorld,
  { size, timeout = 300 }: { readonly size: number; readonly timeout?: number },
): Promise<readonly string[]> {
  const ids = await withWorkers(world, {
    size,
    hook: { name: hookName, heartbeatTimeoutSeconds: timeout },
    tags: { 'drover.dev/drain-timeout': '20m' },
  });
  await run(world, ...heldDeployment({ name: 'held', replicas: size, graceSeconds: 5 }));
  for (const id of ids) terminate(world, id, { replace: false });
  return ids;
}

const waiting = (world: DroverWorld, ids: readonly string[]): number =>
  ids.filter((id) => stateOf(world, id) === 'Terminating:Wait').length;

describe('the heartbeats of a wait', () => {
  it('come only from the function of heartbeats, four in three hundred seconds', async () => {
    const { sent, onCall } = createCounter();
    const world = createDroverWorld({ weather: { onCall } });
    const ids = await heldLeaves(world, { size: 1 });
    await world.timeline.pass(1000);
    expect(waiting(world, ids)).toBe(1);
    expect(new Set(sent)).toEqual(new Set(['heartbeats']));
    expect(sent.length).toBeGreaterThanOrEqual(9);
    expect(sent.length).toBeLessThanOrEqual(11);
    // Each heartbeat replaces the message, and one more pass hides the new one until the next heartbeat is due.
    const passes = world.lines.filter(({ message, work }) => message === 'pass' && work === 'heartbeats');
    expect(passes.length).toBeLessThanOrEqual(2 * sent.length + 2);
  });

  it.each([30, 45, 90])('keep a hook of %i s although half of all calls are refused', async (timeout) => {
    const random = createRandom(timeout);
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      what.startsWith('autoscaling ') && random.next() < 0.5 ? throttling : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const ids = await heldLeaves(world, { size: 4, timeout });
    await world.timeline.pass(600);
    expect(waiting(world, ids)).toBe(4);
  });

  it('keep a hook of 45 s although descriptions are a minute behind', async () => {
    const world = createDroverWorld({
      weather: { staleSeconds: ({ what }) => (what.startsWith('autoscaling Describe') ? 60 : 0) },
    });
    const ids = await heldLeaves(world, { size: 3, timeout: 45 });
    await world.timeline.pass(600);
    expect(waiting(world, ids)).toBe(3);
  });

  it('go on however long the API server hangs and the passes fail', async () => {
    let hangs = false;
    const world = createDroverWorld({
      weather: { strike: ({ to }) => (hangs && to === 'kubernetes' ? { kind: 'hang-before' } : undefined) },
    });
    const ids = await heldLeaves(world, { size: 3, timeout: 30 });
    hangs = true;
    await world.timeline.pass(900);
    expect(waiting(world, ids)).toBe(3);
  });

  it.each([
    'ec2 DescribeInstances',
    'autoscaling DescribeLifecycleHooks',
    'autoscaling DescribeAutoScalingGroups',
    'autoscaling DescribeAutoScalingInstances',
  ])('go on while %s hangs', async (read) => {
    let hangs = false;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
      hangs && caller === 'heartbeats' && what === read ? { kind: 'hang-before' } : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const ids = await heldLeaves(world, { size: 3, timeout: 45 });
    hangs = true;
    await world.timeline.pass(600);
    expect(waiting(world, ids)).toBe(3);
  });

  it('are sent again in time if most of them hang, and the waits at risk are counted', async () => {
    const random = createRandom(7);
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      what === heartbeat && random.next() < 0.7 ? { kind: 'hang-before' } : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const ids = await heldLeaves(world, { size: 3, timeout: 120 });
    await world.timeline.pass(600);
    expect(waiting(world, ids)).toBe(3);
    expect(world.lines.some(({ WaitsAtRisk }) => WaitsAtRisk === 1)).toBe(true);
  });

  it('survive a function that is killed at every tenth of its calls', async () => {
    const random = createRandom(1);
    let calls = 0;
    const strike = ({ caller }: CallInFlight): Strike | undefined => {
      if (caller !== 'heartbeats') return undefined;
      calls += 1;
      const kind = random.pick(['kill-before', 'kill-after'] as const);
      return random.next() < 0.1 ? { kind } : undefined;
    };
    const world = createDroverWorld({ weather: { strike } });
    const ids = await heldLeaves(world, { size: 3, timeout: 60 });
    await world.timeline.pass(900);
    expect(waiting(world, ids)).toBe(3);
    expect(calls).toBeGreaterThan(60);
  });

  it('end with the wait: afterwards no call is made for the instance', async () => {
    const { sent, onCall } = createCounter();
    const world = createDroverWorld({ weather: { onCall } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 120);
    await world.timeline.pass(600);
    expect(sent.length).toBeLessThanOrEqual(1);
  });

  it('hold a launch whose group is paused', async () => {
    const world = await startJoiningWorld({ kubelets: { configure: () => ({ readyDelaySeconds: 900 }) } });
    launchWorkers(world, 2, { heartbeatTimeoutSeconds: 60 });
    await world.timeline.pass(800);
    expect(world.problems).toEqual([]);
    await world.timeline.until(() => inService(world).length === 2, {
      withinSeconds: 300,
      what: 'both in service',
    });
  });
});
