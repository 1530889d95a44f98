import type { ResourceRecordSet, Route53Client } from '@aws-sdk/client-route-53';
import { CreateHostedZoneCommand, DeleteHostedZoneCommand } from '@aws-sdk/client-route-53';
import { expect } from 'vitest';
import { route53Client } from '../../../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../../../shared/aws/connection.ts';
import { createHostedZone } from '../../../../../shared/aws/hosted-zone.ts';
import type { DnsRecord, RecordChange } from '../../../../../shared/etcd/zone.ts';
import type { Cases } from '../../../truth/contract.ts';
import { create, recordSet, remove, zoneHandle } from '../../aws/support/route53-fixture.ts';

/** One Route 53, simulated or not, as the cases need it. */
export interface Route53World {
  readonly client: Route53Client;
  readonly connection: AwsConnection;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

const name = 'example.internal';
const domain = `etcd.${name}`;

/** A new private zone, by hand and as Drover sees it. */
async function open(world: Route53World) {
  const { HostedZone } = await world.client.send(
    new CreateHostedZoneCommand({
      Name: name,
      CallerReference: crypto.randomUUID(),
      VPC: { VPCId: `vpc-${crypto.randomUUID().slice(0, 8)}`, VPCRegion: 'us-east-1' },
      HostedZoneConfig: { PrivateZone: true },
    }),
  );
  const zoneId = (HostedZone?.Id ?? '').replace('/hostedzone/', '');
  const byHand = zoneHandle(world.client, zoneId);
  const standing = async (): Promise<readonly string[]> =>
    ((await byHand.list()).ResourceRecordSets ?? []).map(
      (set) => `${set.Type} ${set.Name} ${set.ResourceRecords?.map(({ Value }) => Value).join(' ')}`,
    );
  /** Refused with this code, and nothing is changed. */
  const expectRefusal = async (ask: () => Promise<unknown>, code: string): Promise<void> => {
    const before = await standing();
    await expect(ask()).rejects.toMatchObject({ code });
    expect(await standing()).toEqual(before);
  };
  const zone = createHostedZone({ client: route53Client(world.connection), zoneId });
  return { ...byHand, zone, standing, expectRefusal };
}

const record = (
  label: string,
  type: DnsRecord['type'],
  values: readonly string[],
  ttlSeconds = 60,
): DnsRecord => ({ name: `${label}.${domain}`, type, ttlSeconds, values });
const creating = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'create', record: one }));
const deleting = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'delete', record: one }));

const one = record('a', 'A', ['10.0.0.1', '10.0.0.2']);
const other = record('b', 'A', ['10.0.0.3']);
const servers = record('_etcd-server-ssl._tcp', 'SRV', ['0 0 2380 a.etcd.example.internal']);

/** By what each says of Route 53: of its API reference and developer guide, or of what its users have met. */
export const route53Cases: Cases<Route53World> = {
  'what was created is read, with its TTL and values': async (world) => {
    const { zone } = await open(world);
    await zone.change(creating(one, servers), 'two');
    const { records } = await zone.read(domain);
    expect(records).toEqual([servers, one]);
  },
  'a batch is done as a whole or not at all': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await zone.change(creating(one), 'one');
    await expectRefusal(() => zone.change(creating(other, one), 'both'), 'conflict');
  },
  'a set that exists is not created again': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await zone.change(creating(one), 'one');
    await expectRefusal(() => zone.change(creating({ ...one, values: ['10.0.0.9'] }), 'again'), 'conflict');
  },
  'a set that does not exist is not deleted': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await expectRefusal(() => zone.change(deleting(one), 'none'), 'conflict');
  },
  'a set is not deleted by another TTL': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await zone.change(creating(one), 'one');
    await expectRefusal(() => zone.change(deleting({ ...one, ttlSeconds: 61 }), 'ttl'), 'conflict');
  },
  'a set is not deleted by other values': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await zone.change(creating(one), 'one');
    await expectRefusal(() => zone.change(deleting({ ...one, values: ['10.0.0.1'] }), 'fewer'), 'conflict');
    await expectRefusal(
      () => zone.change(deleting({ ...one, values: ['10.0.0.1', '10.0.0.9'] }), 'others'),
      'conflict',
    );
  },
  'the order of values says nothing when a set is deleted': async (world) => {
    const { zone } = await open(world);
    await zone.change(creating(one), 'one');
    await zone.change(deleting({ ...one, values: one.values.toReversed() }), 'reversed');
    expect((await zone.read(domain)).records).toEqual([]);
  },
  'delete and create in one batch compare and swap': async (world) => {
    const { zone, expectRefusal } = await open(world);
    const next = { ...one, values: ['10.0.0.5'] };
    await zone.change(creating(one), 'first');
    await zone.change([...deleting(one), ...creating(next)], 'second');
    const late = { ...one, values: ['10.0.0.6'] };
    await expectRefusal(() => zone.change([...deleting(one), ...creating(late)], 'third'), 'conflict');
    expect((await zone.read(domain)).records).toEqual([next]);
  },
  'sets are listed by their labels in reverse order, and from a name on': async (world) => {
    const { change, list } = await open(world);
    for (const label of ['b.a', 'z', 'a', 'c.a'])
      await change(create(recordSet(`${label}.${name}`, 'A', ['10.0.0.1'])));
    const names = async (StartRecordName?: string) =>
      ((await list({ StartRecordName })).ResourceRecordSets ?? [])
        .filter(({ Type }) => Type === 'A')
        .map(({ Name }) => Name);
    const all = ['a', 'b.a', 'c.a', 'z'].map((label) => `${label}.${name}.`);
    expect(await names()).toEqual(all);
    expect(await names(`c.a.${name}`)).toEqual(all.slice(2));
  },
  'a list comes in pages, each saying where the next begins': async (world) => {
    const { change, list } = await open(world);
    await change(
      ...Array.from({ length: 7 }, (_, index) => create(recordSet(`h${index}.${name}`, 'A', ['10.0.0.1']))),
    );
    const found: (string | undefined)[] = [];
    for (let next = {}, more = true; more; ) {
      const page = await list({ ...next, MaxItems: 2 });
      expect(page.ResourceRecordSets?.length).toBeLessThanOrEqual(2);
      found.push(...(page.ResourceRecordSets ?? []).map(({ Name, Type }) => `${Name} ${Type}`));
      more = page.IsTruncated === true;
      next = { StartRecordName: page.NextRecordName, StartRecordType: page.NextRecordType };
    }
    expect(new Set(found).size).toBe(9);
    expect(found).toHaveLength(9);
  },
  'a change is PENDING at first and INSYNC within a minute': async (world) => {
    const { zone } = await open(world);
    const id = await zone.change(creating(one), 'one');
    expect(await zone.isInSync(id)).toBe(false);
    for (let waited = 0; waited < 60 && !(await zone.isInSync(id)); waited += 2) await world.pass(2);
    expect(await zone.isInSync(id)).toBe(true);
  },
  'a text comes back as it was written': async (world) => {
    const { zone } = await open(world);
    const text = record('_mark', 'TXT', ['owner=drover "prod" \\ a;b', 'x'.repeat(300)]);
    await zone.change(creating(text), 'text');
    expect((await zone.read(domain)).records).toEqual([text]);
    await zone.change(deleting(text), 'gone');
  },
  'an asterisk is spelled as an octal escape': async (world) => {
    const { change, list } = await open(world);
    await change(create(recordSet(`*.${name}`, 'A', ['10.0.0.1'])));
    const { ResourceRecordSets = [] } = await list();
    expect(ResourceRecordSets.map(({ Name }) => Name)).toContain(`\\052.${name}.`);
  },
  'a name outside the zone is refused': async (world) => {
    const { zone, expectRefusal } = await open(world);
    const outside = { ...one, name: 'etcd.example.com' };
    await expectRefusal(() => zone.change(creating(outside), 'outside'), 'no-zone');
  },
  'a zone that is not there is named so': async (world) => {
    const zone = createHostedZone({
      client: route53Client(world.connection),
      zoneId: 'Z0AAAAAAAAAAAAAAAAAA',
    });
    await expect(zone.read(domain)).rejects.toMatchObject({ code: 'no-zone' });
    await expect(zone.change(creating(one), 'x')).rejects.toMatchObject({ code: 'no-zone' });
  },
  'nothing stands beside a CNAME': async (world) => {
    const { change, zone, expectRefusal } = await open(world);
    await change(create(recordSet(one.name, 'CNAME', ['www.example.com'])));
    await expectRefusal(() => zone.change(creating(one), 'beside'), 'invalid');
  },
  'values that do not fit the type are refused': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await expectRefusal(() => zone.change(creating({ ...one, values: ['10.0.0.256'] }), 'x'), 'invalid');
    await expectRefusal(() => zone.change(creating({ ...servers, values: ['0 0 host'] }), 'x'), 'invalid');
  },
  'one value stands in a set once': async (world) => {
    const { zone, expectRefusal } = await open(world);
    await expectRefusal(
      () => zone.change(creating({ ...one, values: ['10.0.0.1', '10.0.0.1'] }), 'x'),
      'invalid',
    );
  },
  'a batch takes 1,000 values and no more': async (world) => {
    const { change, list } = await open(world);
    const sets = (count: number): ResourceRecordSet[] =>
      Array.from({ length: count }, (_, index) => recordSet(`h${index}.${name}`, 'A', ['10.0.0.1']));
    await expect(change(...sets(1001).map(create))).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
    await change(...sets(1000).map(create));
    expect((await list({ StartRecordName: `h999.${name}` })).ResourceRecordSets?.[0]?.Name).toBe(
      `h999.${name}.`,
    );
  },
  'NS and SOA of the apex stay': async (world) => {
    const { change, list } = await open(world);
    const required = (await list()).ResourceRecordSets ?? [];
    expect(required.map(({ Type }) => Type)).toEqual(['NS', 'SOA']);
    for (const set of required)
      await expect(change(remove(set))).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
  },
  'a zone goes only when nothing else stands in it': async (world) => {
    const { zone, zoneId } = await open(world);
    await zone.change(creating(one), 'one');
    const deletion = new DeleteHostedZoneCommand({ Id: zoneId });
    await expect(world.client.send(deletion)).rejects.toMatchObject({ name: 'HostedZoneNotEmpty' });
    await zone.change(deleting(one), 'gone');
    await world.client.send(deletion);
  },
};
