import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { launchWorkers, startJoiningWorld } from '../support/joining-world.ts';

const reports = ({ lines }: DroverWorld) => lines.filter(({ work }) => work === 'node-leaving');

/** Two workers of which one leaves while a fault lasts. */
async function leaveDuring(strike: (call: CallInFlight) => Strike | undefined): Promise<DroverWorld> {
  const world = createDroverWorld({
    weather: { strike: (call) => (call.caller === 'node-leaving' ? strike(call) : undefined) },
  });
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  terminate(world, leaving, { replace: false });
  await world.timeline.pass(60);
  return world;
}

describe('a call of Drover that hangs', () => {
  it('to the API server ends after its 20 seconds, in simulated time', async () => {
    const world = await leaveDuring(({ to }) => (to === 'kubernetes' ? { kind: 'hang-before' } : undefined));
    expect(JSON.stringify(reports(world))).toContain('no answer within 20000 ms');
    expect(world.problems).toEqual([]);
  });

  it('to AWS ends after its five seconds', async () => {
    const world = await leaveDuring(({ what }) =>
      what === 'autoscaling DescribeAutoScalingGroups' ? { kind: 'hang-before' } : undefined,
    );
    expect(JSON.stringify(reports(world))).toContain('no answer within 5000 ms');
    expect(world.problems).toEqual([]);
  });
});

it('answers that take too long end the pass four seconds before the timeout of its function, which answers', async () => {
  const world = createDroverWorld({
    weather: { latencyMilliseconds: ({ to }) => (to === 'kubernetes' ? { afterMilliseconds: 19_000 } : 0) },
  });
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  terminate(world, leaving, { replace: false });
  await world.timeline.pass(60);
  expect(JSON.stringify(reports(world))).toContain('the time of the invocation was up');
  expect(world.problems).toEqual([]);
});

describe('a join whose API server takes 19 s for each answer', () => {
  async function joinSlowly() {
    const heartbeatsAt: number[] = [];
    let isSlow = false;
    const world: DroverWorld = await startJoiningWorld({
      kubelets: { configure: () => ({ readyDelaySeconds: 600 }) },
      weather: {
        latencyMilliseconds: ({ caller, to }) =>
          isSlow && caller === 'node-joining' && to === 'kubernetes' ? { afterMilliseconds: 19_000 } : 0,
        onCall: ({ caller, what }) => {
          if (caller === 'heartbeats' && what === 'autoscaling RecordLifecycleActionHeartbeat')
            heartbeatsAt.push(world.clock.now());
        },
      },
    });
    launchWorkers(world, 1, { heartbeatTimeoutSeconds: 30 });
    await world.timeline.until(() => heartbeatsAt.length > 0, { withinSeconds: 60, what: 'a heartbeat' });
    isSlow = true;
    await world.timeline.pass(180);
    return { world, heartbeatsAt };
  }

  it('has its heartbeats, because they wait for no pass', async () => {
    const { world, heartbeatsAt } = await joinSlowly();
    const gaps = heartbeatsAt.slice(1).map((at, index) => at - (heartbeatsAt[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(15_000);
    expect(membersOf(world).map(({ LifecycleState }) => LifecycleState)).toEqual(['Pending:Wait']);
  });

  it('ends its pass four seconds before the timeout of the function, which answers', async () => {
    const { world } = await joinSlowly();
    const said = world.lines.filter(({ work }) => work === 'node-joining');
    expect(JSON.stringify(said)).toContain('the time of the invocation was up');
    expect(world.problems).toEqual([]);
  });
});
