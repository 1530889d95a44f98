import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { openGroup } from '../auto-scaling/world.ts';
import { openZone } from '../route53/cases.ts';
import { type EtcdGroupsWorld, instancesOf } from './world.ts';

interface Member {
  readonly id: string;
  readonly address: string;
}

/** A zone with the records of a new group, and those records. */
async function openRecords(world: EtcdGroupsWorld, size: number) {
  const group = await openGroup(world, { DesiredCapacity: size });
  const ids = ((await group.settle()).Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
  const members = await instancesOf(world, ids);
  const { route53: client, vpc, pass } = world;
  const zone = await openZone({ client, pass, ...(vpc !== undefined && { vpc }) });
  const nameOf = ({ id }: Member): string => `${id}.${zone.name}`;
  const set = (Name: string, Type: 'A' | 'SRV', values: readonly string[]): ResourceRecordSet => ({
    Name,
    Type,
    TTL: 60,
    ResourceRecords: values.map((Value) => ({ Value })),
  });
  const addressOf = (member: Member) => set(nameOf(member), 'A', [member.address]);
  const serversOf = (of: readonly Member[]) =>
    set(
      `_etcd-server-ssl._tcp.${zone.name}`,
      'SRV',
      of.map((member) => `0 0 2380 ${nameOf(member)}`),
    );
  return { zone, members, addressOf, serversOf };
}

const changes = (Action: 'CREATE' | 'DELETE', ...sets: readonly ResourceRecordSet[]): readonly Change[] =>
  sets.map((ResourceRecordSet) => ({ Action, ResourceRecordSet }));

const byName = (sets: readonly ResourceRecordSet[]): readonly ResourceRecordSet[] =>
  sets.toSorted((one, other) => ((one.Name ?? '') < (other.Name ?? '') ? -1 : 1));

/** What members read to find one another. */
export const recordCases: Cases<EtcdGroupsWorld> = {
  'a private zone has the SRV records of three instances and the addresses that EC2 gave them': async (
    world,
  ) => {
    const { zone, members, addressOf, serversOf } = await openRecords(world, 3);
    expect(new Set(members.map(({ address }) => address)).size).toBe(3);
    const sets = [serversOf(members), ...members.map(addressOf)];
    await zone.change(...changes('CREATE', ...sets));
    expect(byName(await zone.read())).toEqual(byName(sets));
  },
  'a member is replaced in one batch, which is refused as a whole if another has changed the servers': async (
    world,
  ) => {
    const { zone, members, addressOf, serversOf } = await openRecords(world, 3);
    const [first, second, third] = members;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('there are not three instances');
    const [old, next] = [serversOf([first, second]), serversOf([second, third])];
    await zone.change(...changes('CREATE', old, addressOf(first), addressOf(second)));
    const replacement = [
      ...changes('DELETE', old, addressOf(first)),
      ...changes('CREATE', next, addressOf(third)),
    ];
    await zone.change(...replacement);
    const after = byName([next, addressOf(second), addressOf(third)]);
    expect(byName(await zone.read())).toEqual(after);
    await expect(zone.change(...replacement)).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
    expect(byName(await zone.read())).toEqual(after);
  },
};
