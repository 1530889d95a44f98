import { expect } from 'vitest';
import type { AwsHttpRequest as Sent } from '../../../../../shared/aws/request-handler.ts';
import type { AwsHttpRequest, AwsHttpResponse } from '../../../src/aws/codec/http.ts';
import type { WireExample } from './example.ts';
import { namespaceOf, structureOf } from './structure.ts';

/** What says nothing of a call: who calls and when, what the connection is, hashes and lengths. */
const ofNobody =
  /^(?:host|authorization|date|x-amz-date|content-length|connection|server|transfer-encoding|x-amz-id-2)$/;

const formOf = (body: string | Uint8Array): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(Buffer.from(body).toString()),
];

const isForm = (headers: Readonly<Record<string, string>>): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;

/** In the Query protocols the query of a GET and the form of a POST say the same. */
function saidOf(
  { query, headers, body }: Omit<AwsHttpRequest, 'path' | 'method'>,
  without: readonly string[],
) {
  const form = isForm(headers);
  const pairs = [...query, ...(form ? formOf(body) : [])].filter(([name]) => !without.includes(name));
  return { pairs: Object.fromEntries(pairs), body: form ? '' : structureOf(body, without) };
}

/** Holds that Drover has asked what the documented request asks, whatever the order. */
export function expectSameRequest(
  asked: Sent | undefined,
  documented: AwsHttpRequest,
  { adds = [], omits = [] }: Pick<WireExample, 'adds' | 'omits'>,
): void {
  if (!asked) throw new Error('nothing was asked');
  const query = Object.entries(asked.query);
  expect(saidOf({ ...asked, query, body: Buffer.from(asked.bytes ?? asked.body) }, adds)).toEqual(
    saidOf(documented, omits),
  );
  expect(asked.path).toBe(documented.path);
  if (!isForm(asked.headers) && !isForm(documented.headers)) expect(asked.method).toBe(documented.method);
  const headers = Object.entries(documented.headers).filter(
    ([name]) => !ofNobody.test(name) && !omits.includes(name),
  );
  expect(asked.headers).toMatchObject(Object.fromEntries(headers));
}

const requestIds = ['RequestId', 'requestId', 'RequestID'];

/** Holds that the sandbox has answered what the documented answer says. */
export function expectSameAnswer(written: AwsHttpResponse, documented: AwsHttpResponse): void {
  expect(written.statusCode).toBe(documented.statusCode);
  expect(structureOf(written.body, requestIds)).toEqual(structureOf(documented.body, requestIds));
  const namespace = namespaceOf(documented.body);
  if (namespace !== undefined) expect(namespaceOf(written.body)).toBe(namespace);
  expect(written.headers).toMatchObject(headersOf(documented));
}

/** Those that differ in each answer with any value. */
const headersOf = ({ headers }: AwsHttpResponse): object =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofNobody.test(name))
      .map(([name, value]) => [name, /request-?id/.test(name) ? (expect.any(String) as string) : value]),
  );
