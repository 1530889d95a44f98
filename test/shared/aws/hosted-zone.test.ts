import { type Route53Client, Route53ServiceException } from '@aws-sdk/client-route-53';
import { AwsError } from '@drover/cloud-sandbox/aws';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { route53Client } from '../../../shared/aws/clients.ts';
import { createHostedZone, toZoneError } from '../../../shared/aws/hosted-zone.ts';
import { readName, readText, writeText } from '../../../shared/aws/hosted-zone-records.ts';
import type { DnsRecord, RecordChange } from '../../../shared/etcd/zone.ts';
import { createHostedZoneFixture } from './support/hosted-zone-fixture.ts';

const domain = 'etcd.example.internal';
const record = (name: string, type: DnsRecord['type'], values: readonly string[]): DnsRecord => ({
  name,
  type,
  ttlSeconds: 60,
  values,
});
const address = record(`i-0123456789abcdef0.${domain}`, 'A', ['10.0.0.1']);
const servers = record(`_etcd-server-ssl._tcp.${domain}`, 'SRV', [`0 0 2380 ${address.name}`]);
const mark = record(`_drover-etcd.${domain}`, 'TXT', ['owner=drover "prod" \\ ü']);
const created = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'create', record: one }));
const deleted = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'delete', record: one }));

describe('a hosted zone', () => {
  it('returns the written records at and under the domain, and no others', async () => {
    const { zone, byHand } = await createHostedZoneFixture();
    await byHand.add('a.internal-etcd.example.internal', 'A', ['10.9.9.9']);
    await byHand.add('etcd-2.example.internal', 'A', ['10.9.9.9']);
    await zone.change(created(address, servers, mark), 'first members');
    const { records, foreign } = await zone.read(domain);
    expect(foreign).toEqual([]);
    expect(records).toHaveLength(3);
    expect(records).toEqual(expect.arrayContaining([address, servers, mark]));
  });

  it('returns only the names of records that Drover cannot write', async () => {
    const { zone, byHand } = await createHostedZoneFixture();
    const alias = {
      AliasTarget: { HostedZoneId: 'Z1', DNSName: 'lb.example.com', EvaluateTargetHealth: false },
    };
    await byHand.change({ Name: `a.${domain}`, Type: 'A', ...alias });
    await byHand.change({
      Name: `b.${domain}`,
      Type: 'A',
      TTL: 60,
      ResourceRecords: [{ Value: '10.0.0.1' }],
      SetIdentifier: 'one',
      Weight: 1,
    });
    await byHand.add(`*.${domain}`, 'CNAME', ['www.example.com']);
    expect(await zone.read(`${domain}.`)).toEqual({
      records: [],
      foreign: [
        { name: `*.${domain}`, type: 'CNAME' },
        { name: `a.${domain}`, type: 'A (alias)' },
        { name: `b.${domain}`, type: 'A (routing policy)' },
      ],
    });
  });

  it('reads only the names of Drover if the domain has more than a page, and all pages of those', async () => {
    const { zone, byHand, calls } = await createHostedZoneFixture();
    const labels = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    for (const under of ['a.example.internal', 'zz.example.internal'])
      for (let batch = 0; batch < 5; batch += 1)
        await byHand.addAll(labels(`h${batch}-`, 1000).map((label) => `${label}.${under}`));
    await byHand.addAll(labels('m', 650).map((label) => `${label}.${domain}`));
    await byHand.addAll(labels('h', 650).map((label) => `${label}.${domain}`));
    const hosts = labels('i-0', 350).map((label) => `${label}.${domain}`);
    const own = [
      domain,
      ...['_drover-etcd', '_etcd-server-ssl._tcp', 'x.i-01'].map((label) => `${label}.${domain}`),
    ];
    await byHand.addAll([...own, ...hosts]);
    calls.length = 0;
    const { records } = await zone.read(domain);
    expect(records.map(({ name }) => name).toSorted()).toEqual([...own, ...hosts].toSorted());
    expect(calls).toEqual(['GetHostedZone', ...Array.from({ length: 5 }, () => 'ListResourceRecordSets')]);
    calls.length = 0;
    await zone.read(`m1.${domain}`);
    expect(calls).toEqual(['ListResourceRecordSets']);
  });

  it('deletes a text in the spelling that Route 53 has', async () => {
    const { zone, byHand } = await createHostedZoneFixture();
    await byHand.add(mark.name, 'TXT', ['"owner=" "\\144rover"']);
    const { records } = await zone.read(domain);
    expect(records).toMatchObject([{ values: ['owner=drover'] }]);
    await zone.change([...created({ ...mark, values: ['new'] }), ...deleted(...records)], 'swap');
    expect((await zone.read(domain)).records).toEqual([{ ...mark, values: ['new'] }]);
  });

  it('is in sync once Route 53 reports INSYNC', async () => {
    const { zone, clock } = await createHostedZoneFixture();
    const id = await zone.change(created(address), 'x'.repeat(1000));
    expect(id).toMatch(/^C\w+$/);
    expect(await zone.isInSync(id)).toBe(false);
    clock.advance(60);
    expect(await zone.isInSync(id)).toBe(true);
  });

  it('reads the next page from the name, the type and the identifier that Route 53 gives', async () => {
    const host = `i-0a.${domain}.`;
    const asked: object[] = [];
    const send = async ({ input }: { readonly input: { readonly StartRecordName?: string } }) => {
      if (input.StartRecordName === undefined)
        return { $metadata: {}, HostedZone: { Name: 'example.internal.' } };
      asked.push(input);
      const isFirst = [domain, `i-0.${domain}`].includes(input.StartRecordName);
      const next = { NextRecordName: host, NextRecordType: 'TXT', NextRecordIdentifier: 'one' };
      return { $metadata: {}, ResourceRecordSets: [], IsTruncated: isFirst, ...(isFirst && next) };
    };
    await createHostedZone({ client: { send } as unknown as Route53Client, zoneId: 'Z0' }).read(domain);
    expect(asked.at(-1)).toEqual({
      HostedZoneId: 'Z0',
      StartRecordName: host,
      StartRecordType: 'TXT',
      StartRecordIdentifier: 'one',
    });
  });

  it('accepts its id with the prefix that Route 53 prints', async () => {
    const { connection, zoneId } = await createHostedZoneFixture();
    const zone = createHostedZone({ client: route53Client(connection), zoneId: `/hostedzone/${zoneId}` });
    expect(await zone.read('example.internal')).toMatchObject({
      records: [],
      foreign: [
        { name: 'example.internal', type: 'NS' },
        { name: 'example.internal', type: 'SOA' },
      ],
    });
  });
});

describe('a refusal of Route 53', () => {
  it('is a conflict if the zone has changed since it was read', async () => {
    const { zone } = await createHostedZoneFixture();
    await zone.change(created(address), 'one');
    await expect(zone.change(created(address), 'two')).rejects.toMatchObject({ code: 'conflict' });
    await expect(zone.change(deleted(servers), 'two')).rejects.toMatchObject({ code: 'conflict' });
    const stale = { ...address, values: ['10.0.0.9'] };
    await expect(zone.change(deleted(stale), 'two')).rejects.toMatchObject({
      name: 'ZoneError',
      code: 'conflict',
      message: expect.stringContaining('values provided do not match'),
    });
  });

  it.each([
    "[Tried to create resource record set [name='a.example.', type='A'] but it already exists]",
    "Tried to delete resource record set [name='a.example.', type='A', set identifier='eu [1]'] but it was not found",
    'Tried to create resource record set a.example. type A but it already exists.',
  ])('is a conflict however it describes the record: %s', (message) => {
    const error = Object.assign(new Error(message), { name: 'InvalidChangeBatch' });
    expect(toZoneError(error, 'Z1')).toMatchObject({ code: 'conflict' });
  });

  it('is not a conflict if a foreign CNAME blocks the name, because reading again would not help', async () => {
    const { zone, byHand } = await createHostedZoneFixture();
    await byHand.add(address.name, 'CNAME', ['www.example.com']);
    await expect(zone.change(created(address), 'x')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('says that the zone does not contain the domain, before any read', async () => {
    const { zone, calls } = await createHostedZoneFixture();
    await expect(zone.read('etcd.example.com')).rejects.toMatchObject({
      code: 'no-zone',
      message: expect.stringContaining('is example.internal: it does not hold etcd.example.com'),
    });
    await expect(zone.read('notexample.internal')).rejects.toMatchObject({ code: 'no-zone' });
    expect(calls).toEqual(['GetHostedZone']);
    const outside = record('i-1.example.com', 'A', ['10.0.0.1']);
    await expect(zone.change(created(outside), 'x')).rejects.toMatchObject({ code: 'no-zone' });
  });

  it('names a zone that does not exist', async () => {
    const { connection } = await createHostedZoneFixture();
    const zone = createHostedZone({ client: route53Client(connection), zoneId: 'Z0' });
    await expect(zone.read(domain)).rejects.toMatchObject({ code: 'no-zone' });
  });

  it.each([
    ['Throttling', 'busy'],
    ['ThrottlingException', 'busy'],
    ['PriorRequestNotComplete', 'busy'],
    ['AccessDenied', 'denied'],
    ['InvalidInput', 'invalid'],
  ] as const)('with %s is %s', async (code, expected) => {
    const { zone, strike } = await createHostedZoneFixture();
    strike(new AwsError({ code, message: 'no' }));
    await expect(zone.change(created(address), 'x')).rejects.toMatchObject({ code: expected });
    await expect(zone.read(domain)).rejects.toMatchObject({ code: expected });
    await expect(zone.isInSync('C1')).rejects.toMatchObject({ code: expected });
  });

  it('that does not come from Route 53 is passed on unchanged', async () => {
    const { zone, strike } = await createHostedZoneFixture();
    strike('fail-before');
    await expect(zone.read(domain)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const failure = new Route53ServiceException({
      name: 'ServiceUnavailable',
      message: 'x',
      $fault: 'server',
      $metadata: { httpStatusCode: 503 },
    });
    expect(toZoneError(failure, 'Z1')).toBeUndefined();
  });

  it('of a batch that is too large comes before the call', async () => {
    const { zone, calls } = await createHostedZoneFixture();
    const many = Array.from({ length: 1001 }, (_, index) => record(`h${index}.${domain}`, 'A', ['10.0.0.1']));
    await expect(zone.change(created(...many), 'x')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('1001 values'),
    });
    const long = record(mark.name, 'TXT', ['x'.repeat(32_001)]);
    await expect(zone.change(created(long), 'x')).rejects.toThrow(/characters of values in one change/);
    await expect(zone.change([], 'x')).rejects.toMatchObject({ code: 'invalid' });
    expect(calls).toEqual([]);
    await zone.change(created(...many.slice(0, 1000)), 'x');
  });
});

describe('a TXT value', () => {
  it('is read back unchanged from the pieces that DNS allows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const value = writeText(text);
        expect(readText(value)).toBe(Buffer.from(text).toString());
        expect(value).toMatch(
          /^"([ !#-[\]-~]|\\["\\]|\\[0-3][0-7]{2})*"( "([ !#-[\]-~]|\\["\\]|\\[0-3][0-7]{2})*")*$/,
        );
      }),
    );
  });

  it('has the same spelling in Route 53 and in the zone', async () => {
    const { zone } = await createHostedZoneFixture();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), async (text) => {
        const one = record(mark.name, 'TXT', [text]);
        await zone.change(created(one), 'x');
        const { records } = await zone.read(domain);
        expect(records).toEqual([one]);
        await zone.change(deleted(...records), 'x');
      }),
      { numRuns: 50 },
    );
  });

  it('without quotes is read too, because people write zones by hand', () => {
    expect(readText('plain "and \\"quoted\\""')).toBe('plainand "quoted"');
    expect(readText('""')).toBe('');
  });
});

describe('a domain name', () => {
  it('has its escapes decoded if the name stays the same', () => {
    expect(readName('\\052.Example.COM.')).toBe('*.example.com');
    expect(readName('a\\056b\\134.example.com.')).toBe('a\\056b\\134.example.com');
    expect(readName('\\303\\274.example.com')).toBe('\\303\\274.example.com');
  });
});
