import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { type DroverWorld, membersOf, terminate } from '../../local/world/drover-world.ts';
import { clustersOf, domain } from '../../local/world/etcd/etcd-world.ts';
import { inService, recordsIn, untilWhole } from '../../local/world/etcd/expectations.ts';
import { findZoneMark } from '../../shared/etcd/mark.ts';
import { operatorInTime } from '../support/etcd/operator.ts';
import { createWorldOfTwo, secondCluster } from '../support/etcd/two-deployments.ts';

const secondGroup = 'etcd-second';

/** The records under a domain that are not those of the other, which may be a subdomain of it. */
const recordsUnder = (world: DroverWorld, own: string, other: string) =>
  recordsIn(world).filter(
    ({ name, type }) =>
      name.endsWith(own) && !(other.endsWith(own) && name.endsWith(other)) && !['NS', 'SOA'].includes(type),
  );

async function untilSecondWhole(world: DroverWorld, size: number, secondDomain: string): Promise<string> {
  const isWhole = (): boolean => {
    const [members = [], ...others] = [...clustersOf(world, secondGroup).values()];
    const peers = world.etcd.resolve(`_etcd-server-ssl._tcp.${secondDomain}`, 'SRV');
    return (
      others.length === 0 &&
      [members.length, inService(world, secondGroup).length, peers.length].every((count) => count === size) &&
      membersOf(world, secondGroup).length === size
    );
  };
  await world.timeline.until(isWhole, { withinSeconds: 1800, what: 'a whole second cluster' });
  return [...clustersOf(world, secondGroup).keys()][0] ?? '';
}

describe.each([
  ['beside that of the first', 'second.example.internal'],
  ['below that of the first', `second.${domain}`],
])('a second deployment with a domain of the same zone %s', (_, secondDomain) => {
  it('forms its own cluster, and neither changes nor counts the other one', async () => {
    const world = createWorldOfTwo(secondDomain);
    addEtcdGroup(world, { size: 3 });
    addEtcdGroup(world, { size: 3, autoScalingGroupName: secondGroup, clusterName: secondCluster });
    const first = await untilWhole(world, 3);
    const second = await untilSecondWhole(world, 3, secondDomain);
    expect(second).not.toBe(first);

    const ofSecond = recordsUnder(world, secondDomain, domain);
    const ofFirst = () => recordsUnder(world, domain, secondDomain);
    expect(findZoneMark(ofSecond, { domain: secondDomain })).toMatchObject({ clusterName: secondCluster });
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    expect(await untilWhole(world, 3)).toBe(first);
    expect(recordsUnder(world, secondDomain, domain)).toEqual(ofSecond);
    expect(ofFirst().filter(({ name }) => name.startsWith(leaving))).toEqual([]);

    // The first cluster is lost as a whole, and its operator removes its records. The second replaces a member meanwhile.
    const { operations } = world.account.autoScaling;
    operations.UpdateAutoScalingGroup({ AutoScalingGroupName: 'etcd', MinSize: 0, DesiredCapacity: 0 });
    for (const instanceId of inService(world)) world.account.ec2.accidents.kill(instanceId);
    const [other = ''] = inService(world, secondGroup);
    terminate(world, other);
    expect(await untilSecondWhole(world, 3, secondDomain)).toBe(second);
    await world.timeline.pass(1800);
    const before = recordsUnder(world, secondDomain, domain);
    const { exitCode, stderr } = await operatorInTime(world)('cleanup');
    expect([exitCode, stderr]).toEqual([0, '']);
    await world.timeline.pass(120);
    expect(ofFirst()).toEqual([]);
    expect(recordsUnder(world, secondDomain, domain)).toEqual(before);
    expect(await untilSecondWhole(world, 3, secondDomain)).toBe(second);
  });

  it('is not cleaned up, reborn or adopted by an operator who names the wrong cluster or domain', async () => {
    const world = createWorldOfTwo(secondDomain);
    addEtcdGroup(world, { size: 1 });
    addEtcdGroup(world, { size: 1, autoScalingGroupName: secondGroup, clusterName: secondCluster });
    const clusterId = BigInt(await untilWhole(world, 1)).toString(16);
    const second = BigInt(await untilSecondWhole(world, 1, secondDomain)).toString(16);
    await world.timeline.pass(300);
    const before = recordsIn(world);
    const drover = operatorInTime(world);
    const wrong = [`--domain ${secondDomain}`, `--cluster ${secondCluster} --domain ${domain}`];
    for (const place of wrong)
      for (const command of [
        `rebirth --cluster-id ${clusterId}`,
        `rebirth --cluster-id ${second}`,
        `rebirth --forming`,
        `adopt --cluster-id ${clusterId}`,
        `adopt --cluster-id ${second}`,
        'cleanup',
      ]) {
        const { exitCode, stderr } = await drover(`${command} ${place}`);
        expect([command, place, exitCode], stderr).toEqual([command, place, 1]);
      }
    await world.timeline.pass(120);
    expect(recordsIn(world)).toEqual(before);
  });
});
