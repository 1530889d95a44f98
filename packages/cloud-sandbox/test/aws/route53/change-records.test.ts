import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { create, createRoute53Fixture, recordSet, remove, upsert } from '../support/route53-fixture.ts';
import { credentials } from '../support/test-front.ts';

const zoneName = 'example.internal';

async function createBench() {
  const fixture = createRoute53Fixture();
  const zone = await fixture.createZone(zoneName);
  const refusal = async (...changes: Change[]): Promise<string> => {
    const error: unknown = await zone.change(...changes).then(
      () => new Error('it was taken'),
      (thrown: unknown) => thrown,
    );
    return error instanceof Error ? `${error.name}: ${error.message}` : '';
  };
  const names = async (): Promise<readonly string[]> =>
    ((await zone.list()).ResourceRecordSets ?? []).map(({ Name, Type }) => `${Type} ${Name}`);
  return { ...fixture, zone, refusal, names };
}

const www = recordSet(`www.${zoneName}`, 'A', ['10.0.0.1', '10.0.0.2']);

describe('a batch of changes', () => {
  it('is applied as a whole or not at all', async () => {
    const { zone, refusal, names } = await createBench();
    await zone.change(create(www));
    const before = await names();
    const message = await refusal(create(recordSet(`other.${zoneName}`, 'A', ['10.0.0.9'])), create(www));
    expect(message).toBe(
      `InvalidChangeBatch: [Tried to create resource record set [name='www.${zoneName}.', type='A'] but it already exists]`,
    );
    expect(await names()).toEqual(before);
  });

  it('deletes a set only with its exact name, type, TTL and values, in any order', async () => {
    const { zone, refusal } = await createBench();
    await zone.change(create(www));
    const wrong = [
      recordSet(`www.${zoneName}`, 'A', ['10.0.0.1']),
      recordSet(`www.${zoneName}`, 'A', ['10.0.0.1', '10.0.0.2'], 61),
      recordSet(`www.${zoneName}`, 'A', ['10.0.0.1', '10.0.0.3']),
    ];
    for (const set of wrong)
      expect(await refusal(remove(set))).toContain('but the values provided do not match the current values');
    expect(await refusal(remove(recordSet(`none.${zoneName}`, 'A', ['10.0.0.1'])))).toContain(
      `[Tried to delete resource record set [name='none.${zoneName}.', type='A'] but it was not found]`,
    );
    await zone.change(remove(recordSet(`WWW.${zoneName}.`, 'A', ['10.0.0.2', '10.0.0.1'])));
  });

  it('is a compare-and-swap, which refuses an outdated set', async () => {
    const { zone, refusal } = await createBench();
    await zone.change(create(www));
    const next = recordSet(`www.${zoneName}`, 'A', ['10.0.0.3']);
    await zone.change(remove(www), create(next));
    expect(await refusal(remove(www), create(recordSet(`www.${zoneName}`, 'A', ['10.0.0.4'])))).toContain(
      'values provided do not match',
    );
    expect((await zone.list({ StartRecordName: `www.${zoneName}` })).ResourceRecordSets).toMatchObject([
      { TTL: 60, ResourceRecords: [{ Value: '10.0.0.3' }] },
    ]);
  });

  it('may change a set only once, except for DELETE and CREATE', async () => {
    const { refusal } = await createBench();
    expect(await refusal(create(www), remove(www))).toContain(
      `The request contains an invalid set of changes for a resource record set 'A www.${zoneName}.'`,
    );
    expect(await refusal(upsert(www), upsert(www))).toContain('invalid set of changes');
  });

  it('upserts existing and new sets', async () => {
    const { zone } = await createBench();
    await zone.change(upsert(www));
    await zone.change(upsert(recordSet(`www.${zoneName}`, 'A', ['10.0.0.7'])));
    expect((await zone.list({ StartRecordName: `www.${zoneName}` })).ResourceRecordSets).toHaveLength(1);
  });

  it('counts values and characters, twice for UPSERT', async () => {
    const { zone, refusal } = await createBench();
    const sets = (count: number, value = '10.0.0.1') =>
      Array.from({ length: count }, (_, index) => recordSet(`h${index}.${zoneName}`, 'A', [value]));
    expect(await refusal(...sets(1001).map(create))).toContain('[Number of records limit of 1000 exceeded.]');
    expect(await refusal(...sets(501).map(upsert))).toContain('[Number of records limit of 1000 exceeded.]');
    const text = `"${'x'.repeat(253)}"`;
    const texts = (count: number) =>
      Array.from({ length: count }, (_, index) => recordSet(`t${index}.${zoneName}`, 'TXT', [text]));
    expect(await refusal(...texts(126).map(create))).toContain('[RDATA character limit of 32000 exceeded.]');
    expect(await refusal(...texts(63).map(upsert))).toContain('[RDATA character limit of 32000 exceeded.]');
    await zone.change(...sets(1000).map(create));
    await zone.change(...texts(125).map(create));
  });

  it('reports all its errors at once', async () => {
    const { refusal } = await createBench();
    const message = await refusal(remove(www), create(recordSet('www.example.com', 'A', ['10.0.0.1'])));
    expect(message).toContain('but it was not found, RRSet with DNS name www.example.com.');
  });
});

const bad: readonly (readonly [string, ResourceRecordSet, string])[] = [
  [
    'a name outside the zone',
    recordSet('example.org', 'A', ['10.0.0.1']),
    `not permitted in zone ${zoneName}.`,
  ],
  [
    'a name that only ends with the letters of the zone',
    recordSet(`not${zoneName}`, 'A', ['10.0.0.1']),
    'not permitted in zone',
  ],
  ['an invalid IPv4 address', recordSet(`a.${zoneName}`, 'A', ['10.0.0.256']), 'ARRDATAIllegalIPv4Address'],
  [
    'an invalid IPv6 address',
    recordSet(`a.${zoneName}`, 'AAAA', ['10.0.0.1']),
    'AAAARRDATAIllegalIPv6Address',
  ],
  [
    'an SRV record with three fields',
    recordSet(`a.${zoneName}`, 'SRV', ['0 0 host.internal']),
    'Invalid Resource Record',
  ],
  [
    'an SRV record with a port that is too high',
    recordSet(`a.${zoneName}`, 'SRV', ['0 0 65536 h']),
    'Invalid Resource Record',
  ],
  ['a TXT value without quotes', recordSet(`a.${zoneName}`, 'TXT', ['text']), 'enclosed in quotation marks'],
  [
    'a TXT value that is too long',
    recordSet(`a.${zoneName}`, 'TXT', [`"${'x'.repeat(256)}"`]),
    'CharacterStringTooLong',
  ],
  [
    'a duplicate value',
    recordSet(`a.${zoneName}`, 'A', ['10.0.0.1', '10.0.0.1']),
    'Duplicate Resource Record',
  ],
  [
    'a label that is too long',
    recordSet(`${'x'.repeat(64)}.${zoneName}`, 'A', ['10.0.0.1']),
    'DomainLabelTooLong',
  ],
  ['an empty label', recordSet(`a..${zoneName}`, 'A', ['10.0.0.1']), 'Domain label is empty'],
  ['a CNAME at the apex', recordSet(zoneName, 'CNAME', ['a.b']), 'not permitted at apex'],
  ['a TTL below 0', recordSet(`a.${zoneName}`, 'A', ['10.0.0.1'], -1), 'InvalidInput'],
  ['a TTL above 2^31-1', recordSet(`a.${zoneName}`, 'A', ['10.0.0.1'], 2 ** 31), 'InvalidInput'],
  ['an unknown type', recordSet(`a.${zoneName}`, 'FOO' as 'A', ['x']), 'enum value set'],
  [
    'no values',
    recordSet(`a.${zoneName}`, 'A', []),
    'InvalidInput: Invalid request: Expected exactly one of',
  ],
  [
    'both values and an alias',
    {
      ...recordSet(`a.${zoneName}`, 'A', ['10.0.0.1']),
      AliasTarget: { HostedZoneId: 'Z1', DNSName: 'b', EvaluateTargetHealth: false },
    },
    'found more than one',
  ],
  [
    'more than 400 values',
    recordSet(
      `a.${zoneName}`,
      'NS',
      Array.from({ length: 401 }, (_, i) => `n${i}.x`),
    ),
    '400',
  ],
];

describe('a record set', () => {
  it.each(bad)('with %s is refused', async (_, set, words) => {
    expect(await (await createBench()).refusal(create(set))).toContain(words);
  });

  it('of type CNAME is the only set at its name', async () => {
    const { zone, refusal } = await createBench();
    await zone.change(create(www), create(recordSet(`c.${zoneName}`, 'CNAME', ['www.example.com'])));
    expect(await refusal(create(recordSet(`www.${zoneName}`, 'CNAME', ['a.b'])))).toContain(
      'it conflicts with other records with the same DNS name',
    );
    expect(await refusal(create(recordSet(`c.${zoneName}`, 'A', ['10.0.0.1'])))).toContain(
      'a conflicting RRSet of type  CNAME with the same DNS name already exists',
    );
  });

  it('SOA or NS of the apex cannot be deleted', async () => {
    const { zone, refusal } = await createBench();
    const [ns, soa] = (await zone.list()).ResourceRecordSets ?? [];
    expect([ns?.Type, soa?.Type]).toEqual(['NS', 'SOA']);
    if (!ns || !soa) throw new Error('a zone has both');
    expect(await refusal(remove(soa))).toContain('[A HostedZone must contain exactly one SOA record.]');
    expect(await refusal(remove(ns))).toContain(
      '[A HostedZone must contain at least one NS record for the zone itself.]',
    );
    await zone.change(remove(soa), create({ ...soa, TTL: 60 }));
  });
});

describe('a malformed body', () => {
  it('is refused with the message of Route 53 and changes nothing', async () => {
    const { zone, connection, names } = await createBench();
    const before = await names();
    const tags = ['ChangeBatch', 'Changes', 'Change', 'Action', 'ResourceRecordSet', 'Name', 'Type', 'TTL'];
    const more = ['ResourceRecords', 'ResourceRecord', 'Value', 'AliasTarget', 'Weight', 'constructor'];
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('', 'A', 'CREATE', 'DELETE', '-1', 'example.internal', 'toString'),
        fc
          .tuple(fc.constantFrom(...tags, ...more), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
          .map(([tag, children]) => `<${tag}>${children.join('')}</${tag}>`),
      ),
    }));
    const signer = new SignatureV4({
      service: 'route53',
      region: 'us-east-1',
      credentials,
      sha256: Sha256,
    });
    const hostname = 'route53.amazonaws.com';
    const path = `/2013-04-01/hostedzone/${zone.zoneId}/rrset`;
    const root = 'ChangeResourceRecordSetsRequest';
    await fc.assert(
      fc.asyncProperty(tree, async (content) => {
        const batch = `<ChangeBatch><Changes><Change>${content}</Change></Changes></ChangeBatch>`;
        const body = `<${root}>${batch}</${root}>`;
        const headers = { host: hostname };
        const signed = await signer.sign(new HttpRequest({ method: 'POST', hostname, path, headers, body }));
        const { response } = await connection.requestHandler.handle(signed);
        expect([response.statusCode, Buffer.from(response.body as Uint8Array).toString()]).toEqual([
          400,
          expect.stringContaining('<ErrorResponse'),
        ]);
      }),
    );
    expect(await names()).toEqual(before);
  });
});
