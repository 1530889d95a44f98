import {
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetHostedZoneCommand,
  ListHostedZonesByNameCommand,
  ListHostedZonesCommand,
} from '@aws-sdk/client-route-53';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { create, createRoute53Fixture, recordSet, remove } from '../support/route53-fixture.ts';

describe('a hosted zone', () => {
  it('is private if it is created with a VPC, and starts with NS and SOA records', async () => {
    const { createZone, client } = createRoute53Fixture();
    const open = await createZone('example.com');
    const hidden = await createZone('example.com', { vpcId: 'vpc-1' });
    const [one, other] = await Promise.all(
      [open, hidden].map(({ zoneId }) => client.send(new GetHostedZoneCommand({ Id: zoneId }))),
    );
    expect(one?.HostedZone).toMatchObject({ Name: 'example.com.', Config: { PrivateZone: false } });
    expect(one?.DelegationSet?.NameServers).toHaveLength(4);
    expect(other?.HostedZone).toMatchObject({ ResourceRecordSetCount: 2, Config: { PrivateZone: true } });
    expect(other?.VPCs).toEqual([{ VPCId: 'vpc-1', VPCRegion: 'eu-west-1' }]);
    expect(other?.DelegationSet).toBeUndefined();
  });

  it('is created once per caller reference, and once per name in a VPC', async () => {
    const { client, createZone } = createRoute53Fixture();
    const input = { Name: 'example.com', CallerReference: 'once' };
    const made = await client.send(new CreateHostedZoneCommand(input));
    expect(made.Location).toMatch(/\/2013-04-01\/hostedzone\/Z\w+$/);
    expect(made.ChangeInfo?.Status).toBe('PENDING');
    await expect(client.send(new CreateHostedZoneCommand(input))).rejects.toMatchObject({
      name: 'HostedZoneAlreadyExists',
      $metadata: { httpStatusCode: 409 },
    });
    await createZone('example.internal', { vpcId: 'vpc-1' });
    await expect(createZone('example.internal', { vpcId: 'vpc-1' })).rejects.toMatchObject({
      name: 'ConflictingDomainExists',
    });
    await expect(createZone('a..b')).rejects.toMatchObject({ name: 'InvalidDomainName' });
  });

  it('can be deleted only if it has no other records than at its creation', async () => {
    const { client, createZone } = createRoute53Fixture();
    const zone = await createZone('example.com');
    const set = recordSet('a.example.com', 'A', ['10.0.0.1']);
    await zone.change(create(set));
    const command = new DeleteHostedZoneCommand({ Id: zone.zoneId });
    await expect(client.send(command)).rejects.toMatchObject({ name: 'HostedZoneNotEmpty' });
    await zone.change(remove(set));
    await client.send(command);
    await expect(zone.list()).rejects.toMatchObject({
      name: 'NoSuchHostedZone',
      message: `No hosted zone found with ID: ${zone.zoneId}`,
      $metadata: { httpStatusCode: 404 },
    });
  });

  it('is listed by id, or by its reversed name, in pages', async () => {
    const { client, createZone } = createRoute53Fixture();
    for (const name of ['b.example.com', 'example.com', 'a.example.net', 'a.example.com'])
      await createZone(name);
    const first = await client.send(new ListHostedZonesByNameCommand({ MaxItems: 2 }));
    const second = await client.send(
      new ListHostedZonesByNameCommand({
        DNSName: first.NextDNSName,
        HostedZoneId: first.NextHostedZoneId,
      }),
    );
    const names = [...(first.HostedZones ?? []), ...(second.HostedZones ?? [])].map(({ Name }) => Name);
    expect(names).toEqual(['example.com.', 'a.example.com.', 'b.example.com.', 'a.example.net.']);
    const one = await client.send(new ListHostedZonesCommand({ MaxItems: 3 }));
    const rest = await client.send(new ListHostedZonesCommand({ Marker: one.NextMarker }));
    expect([one.HostedZones?.length, rest.HostedZones?.length, rest.IsTruncated]).toEqual([3, 1, false]);
  });
});

describe('the list of record sets', () => {
  it('is ordered by reversed labels, and escapes special characters', async () => {
    const zone = await createRoute53Fixture().createZone('example.com');
    await zone.change(
      ...['www', 'b.a', '*', 'a', '_x._tcp.a', 'a-1'].map((label) =>
        create(recordSet(`${label}.Example.com`, 'A', ['10.0.0.1'])),
      ),
    );
    const { ResourceRecordSets = [] } = await zone.list({
      StartRecordName: 'example.com',
      StartRecordType: 'SOA',
    });
    expect(ResourceRecordSets.map(({ Name }) => Name)).toEqual([
      'example.com.',
      '\\052.example.com.',
      'a-1.example.com.',
      'a.example.com.',
      '_x._tcp.a.example.com.',
      'b.a.example.com.',
      'www.example.com.',
    ]);
  });

  it('is complete for any page size', async () => {
    const zone = await createRoute53Fixture().createZone('example.com');
    await zone.change(
      ...Array.from({ length: 20 }, (_, index) =>
        create({
          ...recordSet(`h${index % 7}.example.com`, index % 2 ? 'A' : 'AAAA', [
            index % 2 ? '10.0.0.1' : '::1',
          ]),
          SetIdentifier: `set ${index}`,
          Weight: index,
        }),
      ),
    );
    const all = (await zone.list()).ResourceRecordSets;
    expect(all).toHaveLength(22);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 25 }), async (MaxItems) => {
        const found = [];
        for (let next = {}, more = true; more; ) {
          const page = await zone.list({ ...next, MaxItems });
          found.push(...(page.ResourceRecordSets ?? []));
          more = page.IsTruncated === true;
          next = {
            StartRecordName: page.NextRecordName,
            StartRecordType: page.NextRecordType,
            StartRecordIdentifier: page.NextRecordIdentifier,
          };
        }
        expect(found).toEqual(all);
      }),
      { numRuns: 25 },
    );
  });

  it('refuses a type without a name, and an identifier without a type', async () => {
    const zone = await createRoute53Fixture().createZone('example.com');
    await expect(zone.list({ StartRecordType: 'A' })).rejects.toMatchObject({ name: 'InvalidInput' });
    await expect(
      zone.list({ StartRecordName: 'a.example.com', StartRecordIdentifier: 'x' }),
    ).rejects.toMatchObject({ name: 'InvalidInput' });
  });
});
