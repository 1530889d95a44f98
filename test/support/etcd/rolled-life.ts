import type { CallInFlight } from '@drover/cloud-sandbox';
import type { Random } from '@drover/cloud-sandbox/simulation';
import { type DroverWorld, membersOf, terminate } from '../../../local/world/drover-world.ts';
import { inService } from '../../../local/world/etcd/expectations.ts';
import { latestOf, newVersion, putRoll, seenOf, versionsOf } from '../../../local/world/rolls.ts';
import type { Roll } from '../../../shared/roll/roll.ts';

/** A pass acts on what it has read so long ago at most, while its calls hang or are repeated. */
const passMilliseconds = 90_000;
/** So long may a roll of five members take while calls fail. */
const rollSeconds = 14_400;

const disturbances = ['none', 'none', 'terminate', 'kill', 'restart', 'pause', 'abort'] as const;

/**
 * People roll the group of etcd to a new version of its template. Meanwhile another instance leaves or fails, or they change their minds.
 *
 * @throws if the roll does not end, or says that it is done while an old instance is in service.
 */
export async function rollEtcd(world: DroverWorld, random: Random, look: () => void): Promise<void> {
  const image = `ami-${String(latestOf(world, 'etcd').version + 1).padStart(17, '0')}`;
  const target = newVersion(world, image, 'etcd');
  const bounds = { canary: random.pick([0, 1]), bakeSeconds: random.pick([0, 60]) };
  const name = `roll-${target.version}`;
  const roll = putRoll(world, { etcd: target }, { ...bounds, name });
  await world.timeline.pass(random.integer(10, 900));
  const wanted = await disturb(world, random, roll);
  const ends = wanted === 'aborted' ? ['aborted', 'done'] : ['done'];
  await world.timeline.until(
    () => {
      look();
      return ends.includes(seenOf(world, name)?.state ?? '');
    },
    { withinSeconds: rollSeconds, what: `the end of ${name} of etcd` },
  );
  const old = versionsOf(world, 'etcd').filter((version) => version !== target.version);
  if (seenOf(world, name)?.state === 'done' && old.length > 0)
    throw new Error(`${name} of etcd is done, and ${old.length} instances are of version ${old.join(', ')}`);
}

/** What else happens during a roll. Resolves with what people want of it by then. */
async function disturb(world: DroverWorld, random: Random, roll: Roll): Promise<Roll['wanted']> {
  const [one] = inService(world);
  const change = (more: Partial<Roll>): void => {
    putRoll(world, { etcd: roll.groups[0]?.target?.main ?? latestOf(world, 'etcd') }, { ...roll, ...more });
  };
  switch (random.pick(disturbances)) {
    case 'none':
      return 'run';
    case 'terminate':
      if (one !== undefined) terminate(world, one);
      return 'run';
    case 'kill':
      // Killing the last member that has the data loses it.
      if (one !== undefined && inService(world).length > 2) world.account.ec2.accidents.kill(one);
      return 'run';
    case 'restart':
      if (one !== undefined) restart(world, one, random.integer(1, 120));
      return 'run';
    case 'pause':
      change({ wanted: 'paused' });
      await world.timeline.pass(random.integer(60, 900));
      change({ wanted: 'run', resumedAt: world.clock.now() });
      return 'run';
    case 'abort':
      change({ wanted: 'aborted' });
      return 'aborted';
  }
}

function restart(world: DroverWorld, instanceId: string, seconds: number): void {
  world.etcd.world.kill(instanceId);
  world.clock.after(seconds * 1000, () => world.etcd.world.start(instanceId));
}

/** Finds a roll that takes an instance of etcd while another one has long been launching or leaving. */
export function watchTakes() {
  const passing = new Map<string, number>();
  return {
    /** Looks at the current state of the group. */
    look: (world: DroverWorld): void => {
      const now = membersOf(world, 'etcd')
        .filter(
          ({ LifecycleState, HealthStatus }) => LifecycleState !== 'InService' || HealthStatus !== 'Healthy',
        )
        .map(({ InstanceId = '' }) => InstanceId);
      for (const id of passing.keys()) if (!now.includes(id)) passing.delete(id);
      for (const id of now) if (!passing.has(id)) passing.set(id, world.clock.now());
    },
    /** @returns what is wrong with a call of the function `roll`; undefined if nothing is. */
    onCall: ({ caller, what }: CallInFlight, world: DroverWorld): string | undefined => {
      if (caller !== 'roll' || !/TerminateInstanceInAutoScalingGroup|SetInstanceHealth/.test(what))
        return undefined;
      const long = [...passing].find(([, since]) => world.clock.now() - since > passMilliseconds);
      return long && `a roll takes an instance of etcd while ${long[0]} launches or leaves`;
    },
  };
}
