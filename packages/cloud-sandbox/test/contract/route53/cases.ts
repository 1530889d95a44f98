import type { Change, ResourceRecordSet, Route53Client, RRType, VPCRegion } from '@aws-sdk/client-route-53';
import { CreateHostedZoneCommand, DeleteHostedZoneCommand } from '@aws-sdk/client-route-53';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { create, recordSet, remove, zoneHandle } from '../../aws/support/route53-fixture.ts';
import { newName } from '../support/new-name.ts';

/** One Route 53, simulated or not, as the cases need it. */
export interface Route53World {
  readonly client: Route53Client;
  /** Of the zones. Defaults to one that does not exist, which emulators accept. */
  readonly vpc?: { readonly VPCId: string; readonly VPCRegion: VPCRegion };
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

const name = `${newName()}.internal`;
const domain = `etcd.${name}`;

/** The zone has changed since it was read. */
const conflict =
  /Tried to (create|delete) resource record set .*? but (it already exists|it was not found|the values provided do not match)/;

/** A new private zone. */
export async function openZone(world: Route53World) {
  const { HostedZone } = await world.client.send(
    new CreateHostedZoneCommand({
      Name: name,
      CallerReference: crypto.randomUUID(),
      VPC: world.vpc ?? { VPCId: `vpc-${crypto.randomUUID().slice(0, 8)}`, VPCRegion: 'us-east-1' },
      HostedZoneConfig: { PrivateZone: true },
    }),
  );
  const zoneId = (HostedZone?.Id ?? '').replace('/hostedzone/', '');
  const zone = zoneHandle(world.client, zoneId);
  const read = async (): Promise<readonly ResourceRecordSet[]> =>
    ((await zone.list()).ResourceRecordSets ?? [])
      .filter(({ Type }) => Type !== 'NS' && Type !== 'SOA')
      .map((set) => ({ ...set, Name: set.Name?.replace(/\.$/, '') }));
  /** The batch is refused in these words, and nothing is changed. */
  const expectRefusal = async (ask: () => Promise<unknown>, words: RegExp): Promise<void> => {
    const before = await read();
    const message: unknown = expect.stringMatching(words);
    await expect(ask()).rejects.toMatchObject({ name: 'InvalidChangeBatch', message });
    expect(await read()).toEqual(before);
  };
  return { ...zone, name, read, expectRefusal };
}

const record = (label: string, type: RRType, values: readonly string[]): ResourceRecordSet =>
  recordSet(`${label}.${domain}`, type, values);
const withValues = (set: ResourceRecordSet, values: readonly string[]): ResourceRecordSet => ({
  ...set,
  ResourceRecords: values.map((Value) => ({ Value })),
});
const creating = (...sets: readonly ResourceRecordSet[]): readonly Change[] => sets.map(create);
const deleting = (...sets: readonly ResourceRecordSet[]): readonly Change[] => sets.map(remove);

const one = record('a', 'A', ['10.0.0.1', '10.0.0.2']);
const other = record('b', 'A', ['10.0.0.3']);
const servers = record('_etcd-server-ssl._tcp', 'SRV', ['0 0 2380 a.etcd.example.internal']);

/** By behaviour of Route 53, from its API reference and developer guide, or from reports of its users. */
export const route53Cases: Cases<Route53World> = {
  'a created set is listed with its TTL and values': async (world) => {
    const { change, read } = await openZone(world);
    await change(...creating(one, servers));
    expect(await read()).toEqual([servers, one]);
  },
  'a batch is applied as a whole or not at all': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await change(...creating(one));
    await expectRefusal(() => change(...creating(other, one)), conflict);
  },
  'creating an existing set is refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await change(...creating(one));
    await expectRefusal(() => change(...creating(withValues(one, ['10.0.0.9']))), conflict);
  },
  'deleting a missing set is refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await expectRefusal(() => change(...deleting(one)), conflict);
  },
  'deleting a set with another TTL is refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await change(...creating(one));
    await expectRefusal(() => change(...deleting({ ...one, TTL: 61 })), conflict);
  },
  'deleting a set with other values is refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await change(...creating(one));
    await expectRefusal(() => change(...deleting(withValues(one, ['10.0.0.1']))), conflict);
    await expectRefusal(() => change(...deleting(withValues(one, ['10.0.0.1', '10.0.0.9']))), conflict);
  },
  'a set can be deleted with its values in any order': async (world) => {
    const { change, read } = await openZone(world);
    await change(...creating(one));
    await change(...deleting({ ...one, ResourceRecords: one.ResourceRecords?.toReversed() }));
    expect(await read()).toEqual([]);
  },
  'DELETE and CREATE in one batch are a compare-and-swap': async (world) => {
    const { change, read, expectRefusal } = await openZone(world);
    const next = withValues(one, ['10.0.0.5']);
    await change(...creating(one));
    await change(...deleting(one), ...creating(next));
    const late = withValues(one, ['10.0.0.6']);
    await expectRefusal(() => change(...deleting(one), ...creating(late)), conflict);
    expect(await read()).toEqual([next]);
  },
  'sets are listed by reversed labels, starting at a given name': async (world) => {
    const { change, list } = await openZone(world);
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
  'a list has pages, and each names the start of the next': async (world) => {
    const { change, list } = await openZone(world);
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
  'a change is first PENDING and INSYNC within a minute': async (world) => {
    const { change, status } = await openZone(world);
    const { Id } = (await change(create(one))) ?? {};
    expect(await status(Id)).toBe('PENDING');
    for (let waited = 0; waited < 60 && (await status(Id)) === 'PENDING'; waited += 2) await world.pass(2);
    expect(await status(Id)).toBe('INSYNC');
  },
  'a TXT value is read back as written': async (world) => {
    const { change, read } = await openZone(world);
    const long = 'x'.repeat(150);
    const text = record('_mark', 'TXT', ['"owner=drover \\"prod\\" \\\\ a;b"', `"${long}" "${long}"`]);
    await change(...creating(text));
    expect(await read()).toEqual([text]);
    await change(...deleting(text));
  },
  'an asterisk is listed as an octal escape': async (world) => {
    const { change, list } = await openZone(world);
    await change(create(recordSet(`*.${name}`, 'A', ['10.0.0.1'])));
    const { ResourceRecordSets = [] } = await list();
    expect(ResourceRecordSets.map(({ Name }) => Name)).toContain(`\\052.${name}.`);
  },
  'a name outside the zone is refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    const outside = { ...one, Name: 'etcd.example.com' };
    await expectRefusal(() => change(...creating(outside)), /is not permitted in zone/);
  },
  'a missing zone is refused': async (world) => {
    const missing = zoneHandle(world.client, 'Z0AAAAAAAAAAAAAAAAAA');
    for (const ask of [() => missing.list(), () => missing.change(create(one))])
      await expect(ask()).rejects.toMatchObject({ name: 'NoSuchHostedZone' });
  },
  'a CNAME is the only set at its name': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await change(create(recordSet(one.Name ?? '', 'CNAME', ['www.example.com'])));
    await expectRefusal(() => change(...creating(one)), /a conflicting RRSet of type +CNAME/);
  },
  'values that do not match the type are refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await expectRefusal(
      () => change(...creating(withValues(one, ['10.0.0.256']))),
      /ARRDATAIllegalIPv4Address/,
    );
    await expectRefusal(
      () => change(...creating(withValues(servers, ['0 0 host']))),
      /Invalid Resource Record/,
    );
  },
  'duplicate values in a set are refused': async (world) => {
    const { change, expectRefusal } = await openZone(world);
    await expectRefusal(
      () => change(...creating(withValues(one, ['10.0.0.1', '10.0.0.1']))),
      /Duplicate Resource Record/,
    );
  },
  'a batch can have at most 1,000 values': async (world) => {
    const { change, list } = await openZone(world);
    const sets = (count: number): ResourceRecordSet[] =>
      Array.from({ length: count }, (_, index) => recordSet(`h${index}.${name}`, 'A', ['10.0.0.1']));
    await expect(change(...sets(1001).map(create))).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
    await change(...sets(1000).map(create));
    expect((await list({ StartRecordName: `h999.${name}` })).ResourceRecordSets?.[0]?.Name).toBe(
      `h999.${name}.`,
    );
  },
  'NS and SOA of the apex cannot be deleted': async (world) => {
    const { change, list } = await openZone(world);
    const required = (await list()).ResourceRecordSets ?? [];
    expect(required.map(({ Type }) => Type)).toEqual(['NS', 'SOA']);
    for (const set of required)
      await expect(change(remove(set))).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
  },
  'a zone can be deleted only without other records': async (world) => {
    const { change, zoneId } = await openZone(world);
    await change(...creating(one));
    const deletion = new DeleteHostedZoneCommand({ Id: zoneId });
    await expect(world.client.send(deletion)).rejects.toMatchObject({ name: 'HostedZoneNotEmpty' });
    await change(...deleting(one));
    await world.client.send(deletion);
  },
};
