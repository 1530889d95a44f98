import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, stateOf, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { deployment, heldDeployment, podsOn, run } from '../../local/world/workloads.ts';
import { markOf, nodeNameOf, nodeObjectOf, passesOf, untilGone } from '../support/observed-instance.ts';

describe('a Health event whose start is past', () => {
  it('drains with the whole drain timeout: pods that a budget holds keep running', async () => {
    const world = createDroverWorld();
    const [named = ''] = await withWorkers(world, { size: 2, tags: { 'drover.dev/drain-timeout': '20m' } });
    await run(world, ...heldDeployment({ name: 'held', replicas: 4, graceSeconds: 60 }));
    const node = nodeNameOf(world, named);
    const pods = podsOn(world, node).length;
    expect(pods).toBeGreaterThan(0);
    for (const startsInSeconds of [-86_400, -60, 30]) {
      world.account.ec2.accidents.healthEvent({ entities: [named], startsInSeconds });
      await world.timeline.pass(180);
    }
    expect(podsOn(world, node)).toHaveLength(pods);
    expect(podsOn(world, node).every(({ metadata }) => metadata?.deletionTimestamp === undefined)).toBe(true);
    expect(markOf(world, named)).toMatchObject({ cause: 'scheduled-change' });
  });
});

describe('a terminate action while Auto Scaling still describes the earlier state', () => {
  it('is not dropped: the instance leaves at once when Auto Scaling shows its state', async () => {
    const world = createDroverWorld({
      weather: { staleSeconds: ({ to, what }) => (to === 'aws' && what.includes('AutoScaling') ? 10 : 0) },
    });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await run(world, deployment({ name: 'web', replicas: 4 }));
    terminate(world, leaving, { replace: false });
    expect(await untilGone(world, leaving, 600)).toBeLessThan(60);
    expect(passesOf(world, leaving).map(({ reason }) => String(reason))).toContainEqual(
      expect.stringMatching(/a terminate action has just been sent for it/),
    );
  });
});

describe('a spot warning that arrives while the function is killed in a pass over the same instance', () => {
  it('is seen within a minute', async () => {
    let kills = false;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
      kills && caller.includes('node-leaving') && what.startsWith('GET /api/v1/pods')
        ? { kind: 'kill-before' }
        : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 1, spot: true });
    await run(world, ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 20 }));
    kills = true;
    terminate(world, leaving, { replace: false });
    await world.timeline.until(() => markOf(world, leaving) !== undefined, {
      withinSeconds: 60,
      what: 'its mark',
    });
    world.account.ec2.accidents.interruptSpot(leaving);
    const warnedAt = world.clock.now();
    kills = false;
    await world.timeline.until(() => markOf(world, leaving)?.cause === 'spot-interruption', {
      withinSeconds: 150,
      what: 'the warning in the mark',
    });
    expect((world.clock.now() - warnedAt) / 1000).toBeLessThanOrEqual(65);
  });
});

describe('an event whose group cannot be looked up because of errors of Auto Scaling', () => {
  it('waits in the inbox for two hours and is then accepted, without the sweep', async () => {
    let throttles = false;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
      throttles && caller.includes('intake') && what.startsWith('autoscaling')
        ? {
            kind: 'aws-error',
            error: new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 }),
          }
        : undefined;
    const world = createDroverWorld({
      weather: { strike },
      editWiring: (wiring) => ({
        ...wiring,
        permissions: wiring.permissions.filter(({ functionArn }) => !functionArn.includes('sweep')),
      }),
    });
    const [leaving = ''] = await withWorkers(world, {
      size: 1,
      hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 7200 },
    });
    throttles = true;
    await world.timeline.pass(3600);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(6600);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    throttles = false;
    await untilGone(world, leaving, 120);
    expect(nodeObjectOf(world, leaving)).toBeUndefined();
  });
});
