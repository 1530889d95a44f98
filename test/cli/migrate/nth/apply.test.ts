import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, membersOf, stateOf, terminate } from '../../../../local/world/drover-world.ts';
import { untilGone } from '../../../support/observed-instance.ts';
import { createKeyboard } from '../../keyboard.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, managedTag, nthHook, nthWorld, tagInstance } from './world.ts';

const hooksOf = (world: DroverWorld) =>
  handedOver(world).hooks.map(({ LifecycleHookName, HeartbeatTimeout }) => [
    LifecycleHookName,
    HeartbeatTimeout,
  ]);

const keysOf = (world: DroverWorld) => {
  const { tags, instances } = handedOver(world);
  return { tags: tags.filter((tag) => !tag.includes('migrated-nth')), instances };
};

const drovers = {
  tags: [
    'drover.dev/drain-on-rebalance=true false',
    'drover.dev/drain-timeout=5m false',
    'drover.dev/role=worker false',
    'kubernetes.io/cluster/drover=owned true',
  ],
  instances: [0, 1].map(() => [
    'drover.dev/nth-tag=',
    'drover.dev/role=worker',
    'kubernetes.io/cluster/drover=owned',
  ]),
};

describe('drover migrate nth --apply', () => {
  it('hands a group over with the same timeouts, and plans nothing afterwards', async () => {
    const world = await nthWorld();
    const drover = operatorOf(world);
    const { code, out, err } = await drover('migrate nth --apply --yes');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('workers: Drover drains the nodes from now on\n');
    expect(hooksOf(world)).toEqual([['drover-node-leaving', 300]]);
    expect(keysOf(world)).toEqual(drovers);
    expect(await drover('migrate nth')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing is left to do'),
    });
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    terminate(world, id);
    await untilGone(world, id);
    const status = await drover('status');
    expect([status.code, status.out]).toEqual([0, expect.not.stringContaining('problem:')]);
  });

  it('asks first, and does nothing without an answer or --apply', async () => {
    const world = await nthWorld();
    const before = handedOver(world);
    const asked = await operatorOf(world, { isTerminal: true, typed: ['no'] })('migrate nth --apply');
    expect(asked.err).toContain('Hand workers over to Drover? Type yes');
    const planned = await operatorOf(world)('migrate nth');
    expect(planned.err).toBe('nothing was changed: give --apply to do it\n');
    expect(handedOver(world)).toEqual(before);
  });

  it('waits for an instance that began to leave before, and leaves its tag alone', async () => {
    const world = await nthWorld();
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    terminate(world, id, { replace: false });
    await world.timeline.pass(5);
    const before = handedOver(world);
    const refused = await operatorOf(world)('migrate nth --apply --yes --wait 0');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${id} is in Terminating:Wait`) });
    expect(refused.err).toContain('workers is unchanged');
    expect(handedOver(world)).toEqual(before);
    const { code } = await operatorOf(world)('migrate nth --apply --yes');
    expect(code).toBe(0);
    expect(stateOf(world, id)).toBeUndefined();
    expect(hooksOf(world)).toEqual([['drover-node-leaving', 300]]);
  });

  it('hands over a hook on launching instances too', async () => {
    const world = await nthWorld({ withLaunchHook: true, heartbeatTimeoutSeconds: 120 });
    expect((await operatorOf(world)('migrate nth --apply --yes')).code).toBe(0);
    expect(hooksOf(world)).toEqual([
      ['drover-node-joining', 120],
      ['drover-node-leaving', 120],
    ]);
  });

  it('leaves no instance without a program that drains it, at no call of the way there and back', async () => {
    const world = await nthWorld();
    let calls = 0;
    const drover = operatorOf(world, {
      onAwsCall: () => {
        calls += 1;
        expectDrained(world);
      },
    });
    for (const line of ['migrate nth --apply --yes', 'migrate nth --back --apply --yes'])
      expect(await drover(line)).toMatchObject({ code: 0, err: '' });
    expect(calls).toBeGreaterThan(40);
  });

  it('ends at a safe point with Ctrl-C, and the next run goes on', async () => {
    const world = await nthWorld();
    const { onInterrupt, pressCtrlC, isHeld } = createKeyboard();
    let calls = 0;
    const { code, err } = await operatorOf(world, {
      onInterrupt,
      onAwsCall: () => {
        if (isHeld() && ++calls === 8) pressCtrlC();
      },
    })('migrate nth --apply --yes');
    expect(code).toBe(130);
    expect(err).toMatch(/interrupted: workers is .*drover migrate nth --apply goes on/);
    expectDrained(world);
    expect((await operatorOf(world)('migrate nth --apply --yes')).code).toBe(0);
    expect(keysOf(world)).toEqual(drovers);
  });

  it('drains nothing less if it ends anywhere, and the next run goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(70), { minLength: 1, maxLength: 3 }), async (kills) => {
        const world = await nthWorld();
        for (const kill of kills) {
          await killedRun(world, 'migrate nth --apply --yes', kill);
          expectDrained(world);
        }
        const { code, err } = await operatorOf(world)('migrate nth --apply --yes');
        expect([code, err]).toEqual([0, '']);
        expect(keysOf(world)).toEqual(drovers);
        expect(hooksOf(world)).toEqual([['drover-node-leaving', 300]]);
      }),
      { numRuns: 5 },
    );
  }, 120_000);
});

/** The call with this number gets no answer, and none after it. */
async function killedRun(world: DroverWorld, line: string, kill: number): Promise<void> {
  let calls = 0;
  await operatorOf(world, {
    onAwsCall: () => {
      if (++calls > kill) throw new Error('killed');
    },
  })(line);
}

/** Every instance leaves through a hook whose program drains it: Drover's with its role, or the handler's with its tag. */
function expectDrained(world: DroverWorld): void {
  const { hooks, tags, instances } = handedOver(world);
  const names = hooks.map(({ LifecycleHookName }) => LifecycleHookName);
  const byDrover = names.includes('drover-node-leaving') && tags.includes('drover.dev/role=worker false');
  const byHandler = instances.every((one) => one.some((tag) => tag.startsWith(managedTag)));
  expect(byDrover || (names.includes(nthHook) && byHandler)).toBe(true);
}

describe('drover migrate nth --back', () => {
  it('gives a group back as it was', async () => {
    const world = await nthWorld({ withLaunchHook: true, defaultResult: 'ABANDON' });
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    tagInstance(world, id, managedTag, 'by hand');
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: nthHook,
      NotificationMetadata: '{"team": "ä"}',
    });
    const before = handedOver(world);
    const drover = operatorOf(world);
    expect((await drover('migrate nth --apply --yes')).code).toBe(0);
    const planned = await drover('migrate nth --back');
    expect(planned.out).toContain(`hook ${nthHook} on terminating instances comes back`);
    // It completes no hook of an instance without its tag.
    expect(planned.out).toContain(`tag ${managedTag} of 2 instances comes back`);
    expect(planned.out.indexOf(`tag ${managedTag} of 2 instances comes back`)).toBeLessThan(
      planned.out.indexOf(`hook ${nthHook} on`),
    );
    const { code, out, err } = await drover('migrate nth --back --apply --yes');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('workers: as before the migration\n');
    expect(handedOver(world)).toEqual(before);
    expect(await drover('migrate nth --back')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing is left to do'),
    });
    expect((await drover('migrate nth --back --group workers')).out).toContain('no record of a migration');
  });

  it('gives back also what was handed over in part, wherever both were ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(70), fc.array(fc.nat(50), { maxLength: 2 }), async (over, kills) => {
        const world = await nthWorld();
        const before = handedOver(world);
        await killedRun(world, 'migrate nth --apply --yes', over);
        for (const kill of kills) {
          await killedRun(world, 'migrate nth --back --apply --yes', kill);
          expectDrained(world);
        }
        expect((await operatorOf(world)('migrate nth --back --apply --yes')).code).toBe(0);
        expect(handedOver(world)).toEqual(before);
      }),
      { numRuns: 5 },
    );
  }, 120_000);

  it('gives instances the tag that were launched meanwhile, as the group gives it to new ones', async () => {
    const world = await nthWorld();
    const drover = operatorOf(world);
    expect((await drover('migrate nth --apply --yes')).code).toBe(0);
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    terminate(world, id);
    await untilGone(world, id);
    await world.timeline.pass(300);
    expect((await drover('migrate nth --back --apply --yes')).code).toBe(0);
    const { instances } = handedOver(world);
    expect(instances).toHaveLength(2);
    for (const tags of instances) expect(tags).toContain(`${managedTag}=`);
  });
});
