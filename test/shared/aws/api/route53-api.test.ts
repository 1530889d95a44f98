import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  GetHostedZoneCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { HttpResponse } from '@smithy/core/transport';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentials } from '../../../../packages/cloud-sandbox/test/aws/support/test-front.ts';
import { AwsError } from '../../../../shared/aws/api/aws-error.ts';
import { route53Api } from '../../../../shared/aws/api/route53-api.ts';
import { UnreadableAnswerError } from '../../../../shared/aws/api/unreadable-answer.ts';
import { parseXml, type XmlElement } from '../../../../shared/aws/api/xml.ts';
import type { AwsHttpRequest } from '../../../../shared/aws/request-handler.ts';

/** An answer with nothing in it. */
function emptyAnswer({ method, path }: AwsHttpRequest): string {
  if (path.includes('/rrset')) return `<${method === 'POST' ? 'Change' : 'List'}ResourceRecordSetsResponse/>`;
  return path.includes('/change/') ? '<GetChangeResponse/>' : '<GetHostedZoneResponse/>';
}

/** A Route 53 that answers one text to everything, or nothing, and keeps what it was asked. */
function route53(text?: string, statusCode = 200, region = 'eu-west-1') {
  const asked: AwsHttpRequest[] = [];
  const requestHandler = {
    handle: (request: AwsHttpRequest) => {
      asked.push(request);
      const headers = { 'x-amzn-requestid': 'b1946ac9' };
      const body = Buffer.from(text ?? emptyAnswer(request));
      return Promise.resolve({
        response: new HttpResponse({ statusCode, headers, body }),
      });
    },
  };
  const connection = { region, credentials: () => credentials, requestHandler, clock: { now: () => 0 } };
  return {
    asked,
    ours: route53Api(connection),
    theirs: new Route53Client({ region, credentials, requestHandler, maxAttempts: 1 }),
  };
}

const essence = ({ method, hostname, path, query, body }: AwsHttpRequest) => ({
  method,
  hostname,
  path,
  query,
  body: body ? treeOf(Buffer.from(body).toString()) : undefined,
});

/** The order of elements says nothing but in lists, where all have one name. */
const treeOf = (body: string): unknown => {
  const sorted = ({ name, text, children }: XmlElement): unknown => [
    name,
    text,
    children.map(sorted).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  ];
  return sorted(parseXml(body));
};

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !/[^\P{Cc}\t\n\r]/u.test(one));
const id = fc.stringMatching(/^[A-Z0-9]{1,32}$/);
const types: fc.Arbitrary<RRType> = fc.constantFrom('A', 'AAAA', 'SRV', 'TXT');
const recordSets = fc.record({
  Name: text,
  Type: types,
  TTL: fc.nat(),
  ResourceRecords: fc.array(fc.record({ Value: text }), { minLength: 1, maxLength: 3 }),
});
const changes = fc.record({
  HostedZoneId: id,
  ChangeBatch: fc.record(
    {
      Changes: fc.array(
        fc.record({
          Action: fc.constantFrom('CREATE' as const, 'DELETE' as const),
          ResourceRecordSet: recordSets,
        }),
        { minLength: 1, maxLength: 3 },
      ),
      Comment: text,
    },
    { requiredKeys: ['Changes'] },
  ),
});
const lists = fc.record(
  {
    HostedZoneId: id,
    StartRecordName: text.filter((one) => one !== ''),
    StartRecordType: types,
    StartRecordIdentifier: text.filter((one) => one !== ''),
    MaxItems: fc.integer({ min: 1, max: 300 }),
  },
  { requiredKeys: ['HostedZoneId'] },
);

describe('a request to Route 53', () => {
  it('for a change is the one that the SDK sends', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (input) => {
        const { asked, ours, theirs } = route53();
        await ours.call('ChangeResourceRecordSets', input);
        await theirs.send(new ChangeResourceRecordSetsCommand(input));
        expect(asked.map(essence)[0]).toEqual(asked.map(essence)[1]);
      }),
    );
  });

  it('for a list is the one that the SDK sends', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (input) => {
        const { asked, ours, theirs } = route53();
        await ours.call('ListResourceRecordSets', input);
        await theirs.send(new ListResourceRecordSetsCommand(input));
        expect(asked.map(essence)[0]).toEqual(asked.map(essence)[1]);
      }),
    );
  });

  it('for a zone or a change is the one that the SDK sends', async () => {
    const { asked, ours, theirs } = route53();
    await ours.call('GetChange', { Id: 'C1' });
    await theirs.send(new GetChangeCommand({ Id: 'C1' }));
    await ours.call('GetHostedZone', { Id: 'Z1' });
    await theirs.send(new GetHostedZoneCommand({ Id: 'Z1' }));
    const [change, theirChange, zone, theirZone] = asked.map(essence);
    expect(change).toEqual(theirChange);
    expect(zone).toEqual(theirZone);
  });

  it('is signed for the one region of its partition', async () => {
    for (const [region, signed] of [
      ['eu-west-1', 'us-east-1'],
      ['us-gov-east-1', 'us-gov-west-1'],
    ] as const) {
      const { asked, ours } = route53(undefined, 200, region);
      await ours.call('GetChange', { Id: 'C1' });
      expect(asked[0]?.headers['authorization']).toContain(`/${signed}/route53/aws4_request`);
    }
  });
});

const listXml = `<?xml version="1.0"?>
<ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ResourceRecordSets>
  <ResourceRecordSet><Name>\\052.example.com.</Name><Type>TXT</Type><TTL>60</TTL>
    <ResourceRecords><ResourceRecord><Value>"a &amp; b"</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>
  <ResourceRecordSet><Name>www.example.com.</Name><Type>A</Type><SetIdentifier>one</SetIdentifier><Weight>1</Weight>
    <AliasTarget><HostedZoneId>Z2</HostedZoneId><DNSName>lb.example.com.</DNSName><EvaluateTargetHealth>false</EvaluateTargetHealth></AliasTarget></ResourceRecordSet>
</ResourceRecordSets><IsTruncated>true</IsTruncated><NextRecordName>x.example.com.</NextRecordName><NextRecordType>A</NextRecordType><MaxItems>2</MaxItems></ListResourceRecordSetsResponse>`;

describe('an answer of Route 53', () => {
  it('says what the SDK reads in it', async () => {
    const { ours, theirs } = route53(listXml);
    const read = await ours.call('ListResourceRecordSets', { HostedZoneId: 'Z1' });
    const theirReading = await theirs.send(new ListResourceRecordSetsCommand({ HostedZoneId: 'Z1' }));
    const [txt, alias] = read.ResourceRecordSets;
    const [theirTxt, theirAlias] = theirReading.ResourceRecordSets ?? [];
    expect(theirTxt).toEqual(JSON.parse(JSON.stringify(txt)));
    expect(theirAlias).toMatchObject({
      SetIdentifier: alias?.SetIdentifier,
      AliasTarget: alias?.AliasTarget,
    });
    expect(alias).toMatchObject({ Name: 'www.example.com.', TTL: undefined, ResourceRecords: [] });
    expect(read.IsTruncated).toBe(true);
    expect(read.NextRecordName).toBe(theirReading.NextRecordName);
  });

  it.each([
    [
      'as it answers today',
      '<ErrorResponse xmlns="x"><Error><Type>Sender</Type><Code>InvalidChangeBatch</Code><Message>[a, b]</Message></Error></ErrorResponse>',
    ],
    [
      'as its reference shows it',
      '<InvalidChangeBatch xmlns="x"><Messages><Message>a</Message><Message>b</Message></Messages><RequestId>1</RequestId></InvalidChangeBatch>',
    ],
  ])('refuses a batch %s: its words are in the error', async (_, body) => {
    const { ours } = route53(body, 400);
    const error: unknown = await ours
      .call('ChangeResourceRecordSets', { HostedZoneId: 'Z1', ChangeBatch: { Changes: [] } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AwsError);
    expect(error).toMatchObject({ name: 'InvalidChangeBatch', message: '[a, b]', statusCode: 400 });
  });

  it('of another kind than XML is an error that says so', async () => {
    const { ours } = route53('<html><body>Bad', 502);
    await expect(ours.call('GetChange', { Id: 'C1' })).rejects.toMatchObject({ name: 'Http502' });
  });

  it('that is a page of a proxy is not taken for a zone without records', async () => {
    const { ours } = route53('<html><body/></html>');
    await expect(ours.call('ListResourceRecordSets', { HostedZoneId: 'Z1' })).rejects.toThrow(
      UnreadableAnswerError,
    );
  });
});
