import { expect, test } from 'vitest';
import { launchInstance } from '../../../src/aws/ec2/launch.ts';
import { terminate } from '../../../src/aws/ec2/lifecycle.ts';
import type { Ec2World } from '../../../src/aws/ec2/model.ts';
import { createNetwork } from '../../../src/aws/ec2/network.ts';
import { pastWorld } from '../../../src/aws/ec2/past-world.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { advanceClock } from '../support/cloud.ts';

function createWorld() {
  const clock = createVirtualClock();
  const world: Ec2World = {
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
    putAwsEvent: () => undefined,
    timings: { bootSeconds: 15, stopSeconds: 10, terminateSeconds: 10 },
    network: createNetwork('eu-west-1'),
    instances: new Map(),
    launchTemplates: new Map(),
    clientTokens: new Map(),
    stateListeners: new Set(),
    rootVolumeListeners: new Set(),
    addressListeners: new Set(),
    rebalanceListeners: new Set(),
    shortages: new Set(),
  };
  return { clock, world };
}

test('a copy of EC2 keeps what an instance was, whatever happens to it afterwards', () => {
  const { clock, world } = createWorld();
  const instance = launchInstance(world, { tags: new Map([['Name', 'then']]) });
  const copy = pastWorld(world);
  advanceClock(clock, 15);
  instance.tags.set('Name', 'now');
  expect(instance.state).toBe('running');
  const then = copy.instances.get(instance.instanceId);
  expect(then?.state).toBe('pending');
  expect(then?.tags).toEqual(new Map([['Name', 'then']]));
});

// A copy is made each simulated second: copies of all that ever ran made each day of a month dearer than the one before.
test('a copy of EC2 leaves out, and forgets, the instances that EC2 shows no more', () => {
  const { clock, world } = createWorld();
  const instances = Array.from({ length: 3 }, () => launchInstance(world, { tags: new Map() }));
  advanceClock(clock, 15);
  for (const instance of instances.slice(1)) terminate(world, instance);
  advanceClock(clock, 3600);
  expect(pastWorld(world).instances.size).toBe(3);
  advanceClock(clock, 10);
  expect([...pastWorld(world).instances.keys()]).toEqual([instances[0]?.instanceId]);
  expect(world.instances.size).toBe(1);
});
