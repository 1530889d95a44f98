import type { CallInFlight } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { callFaults, kindOf, strikeFirst } from '../support/rolls/faults.ts';
import { expectRolled, rollAll, rolledWorlds } from '../support/rolls/strict-rolls.ts';

// `npm run test:heavy` kills each call of a roll of each of these worlds.

const twoGroups = 'two groups of a control plane';
const members = 'three members of etcd';
const beside = 'three control planes with etcd beside';
const allRoles = 'all roles';

/** Begins the roll of a world with a fault, and expects it to end. */
async function live(
  name: string,
  weather: NonNullable<Parameters<(typeof rolledWorlds)[string]>[0]>,
  what: string,
): Promise<void> {
  const rolled = await rolledWorlds[name]?.(weather);
  if (rolled === undefined) throw new Error(`no world ${name}`);
  rollAll(rolled);
  await expectRolled(rolled, `${name}, ${what}`);
}

/** Each world with each fault would take a minute: what differs between them is who carries on after the roll. */
const struck: readonly (readonly [world: string, fault: string])[] = [
  ...Object.keys(callFaults).map((fault) => [twoGroups, fault] as const),
  [members, 'is not answered'],
  [members, 'is carried out, and not answered'],
  [members, 'is denied'],
  [beside, 'is carried out, and sent again'],
  [beside, 'is refused for its rate'],
  [allRoles, 'is not answered'],
  [allRoles, 'is denied'],
];

describe('a roll of etcd and of a control plane', () => {
  it.each(struck)(
    'of %s replaces all, one at a time, if the first three calls of each kind: each %s',
    async (name, fault) => {
      const { strike, kinds } = strikeFirst(3, callFaults[fault] ?? (() => ({ kind: 'fail-before' })));
      await live(name, { strike }, fault);
      expect(kinds()).toContain('autoscaling TerminateInstanceInAutoScalingGroup');
      expect(kinds().length).toBeGreaterThan(14);
    },
  );

  it.each([
    [twoGroups, 10],
    [twoGroups, 55],
    [members, 55],
    [beside, 55],
    [allRoles, 55],
  ])('of %s replaces all, one at a time, if what AWS lists is %i s old', async (name, seconds) => {
    const staleSeconds = ({ caller, to }: CallInFlight): number =>
      caller === 'roll' && to === 'aws' ? seconds : 0;
    await live(name, { staleSeconds }, `${seconds} s behind`);
  });
});

const terminate = 'autoscaling TerminateInstanceInAutoScalingGroup';
const patch = 'PATCH /api/v1/nodes/*';
const write = 'ssm PutParameter';

/** Kills the function in its first three calls of this kind. */
async function liveKilled(name: string, kind: string): Promise<void> {
  const { strike, kinds } = strikeFirst(3, () => ({ kind: 'kill-after' }), kind);
  await live(name, { strike }, `killed in ${kind}`);
  expect(kinds()).toEqual([kind]);
}

describe('a roll whose function is killed', () => {
  it('in three calls of any kind replaces all of two groups of a control plane, one at a time', async () => {
    const kinds = new Set<string>();
    const onCall = (call: CallInFlight): void => {
      if (call.caller === 'roll') kinds.add(kindOf(call));
    };
    await live(twoGroups, { onCall }, 'calm');
    expect([...kinds]).toEqual(expect.arrayContaining([terminate, patch, write]));
    expect(kinds.size).toBeGreaterThan(14);
    for (const kind of kinds) await liveKilled(twoGroups, kind);
  });

  it.each([
    [members, terminate],
    [members, patch],
    [beside, terminate],
    [beside, write],
    [allRoles, terminate],
    [allRoles, patch],
  ])('replaces all of %s, one at a time, if it is killed in %s', liveKilled);
});
