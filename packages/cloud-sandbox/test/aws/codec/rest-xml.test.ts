import * as route53 from '@aws-sdk/client-route-53';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AwsHttpRequest } from '../../../src/aws/codec/http.ts';
import { findOperation } from '../../../src/aws/codec/operation.ts';
import { restXml } from '../../../src/aws/codec/rest-xml.ts';
import { AwsError } from '../../../src/aws/service.ts';

const model = { client: route53, protocol: 'restXml', xmlNamespace: 'https://x/' } as const;
const request = (method: string, path: string, more: Partial<AwsHttpRequest> = {}): AwsHttpRequest => ({
  method,
  path,
  query: [],
  headers: {},
  body: new Uint8Array(),
  ...more,
});
const rrset = '/2013-04-01/hostedzone/Z1/rrset';

function decode(one: AwsHttpRequest): unknown {
  const operation = findOperation(route53, restXml.operationName(one, model) ?? '');
  return operation && restXml.decode(one, operation);
}

test('a request is routed by its method and path, with or without a trailing slash', () => {
  const named = (method: string, path: string) => restXml.operationName(request(method, path), model);
  expect(named('GET', rrset)).toBe('ListResourceRecordSets');
  expect(named('POST', `${rrset}/`)).toBe('ChangeResourceRecordSets');
  expect(named('GET', '/2013-04-01/hostedzone')).toBe('ListHostedZones');
  expect(named('PUT', rrset)).toBeUndefined();
});

test('path and query parameters are decoded into their members', () => {
  const asked = request('GET', '/2013-04-01/hostedzone/%2Fhostedzone%2FZ1/rrset', {
    query: [
      ['name', 'a.b'],
      ['maxitems', '3'],
    ],
  });
  expect(decode(asked)).toEqual({ HostedZoneId: '/hostedzone/Z1', StartRecordName: 'a.b', MaxItems: 3 });
});

test.each([
  ['no XML', 'x'],
  ['an open element', '<ChangeResourceRecordSetsRequest>'],
  ['another operation', '<CreateHostedZoneRequest/>'],
])('a body that is %s is malformed', (_, body) => {
  expect(() => decode(request('POST', rrset, { body: Buffer.from(body) }))).toThrow(
    expect.objectContaining({ code: 'MalformedInput' }),
  );
});

test('any body is either decoded or malformed', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'<>/!-[]&;#x"aC \n?'.split('')), maxLength: 200 });
  fc.assert(
    fc.property(noise, (text) => {
      const body = Buffer.from(`<ChangeResourceRecordSetsRequest>${text}</ChangeResourceRecordSetsRequest>`);
      try {
        expect(decode(request('POST', rrset, { body }))).toMatchObject({ HostedZoneId: 'Z1' });
      } catch (error) {
        expect(error).toBeInstanceOf(AwsError);
      }
    }),
  );
});

test('a member that is bound to a response header is not in the body', () => {
  const operation = findOperation(route53, 'CreateHostedZone');
  if (!operation) throw new Error('the SDK has it');
  const output = { Location: 'https://y', HostedZone: { Id: 'a & b' } };
  const answer = restXml.encode({
    model,
    request: request('POST', '/'),
    requestId: '1',
    operation,
    output,
  });
  expect(answer).toMatchObject({ statusCode: 201, headers: { location: 'https://y' } });
  expect(answer.body).toContain(
    '<CreateHostedZoneResponse xmlns="https://x/"><HostedZone><Id>a &amp; b</Id></HostedZone></CreateHostedZoneResponse>',
  );
});
