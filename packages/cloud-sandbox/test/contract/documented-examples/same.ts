import { expect } from 'vitest';
import type { AwsHttpResponse } from '../../../src/aws/codec/http.ts';
import { namespaceOf, structureOf } from './structure.ts';

/** What says nothing of a call: who calls and when, what the connection is, hashes and lengths. */
const ofNobody =
  /^(?:host|authorization|date|x-amz-date|content-length|connection|server|transfer-encoding|x-amz-id-2)$/;

const requestIds = ['RequestId', 'requestId', 'RequestID'];

/** Holds that the sandbox has answered what the documented answer says. */
export async function expectSameAnswer(written: AwsHttpResponse, documented: AwsHttpResponse): Promise<void> {
  expect(written.statusCode).toBe(documented.statusCode);
  expect(await structureOf(written.body, requestIds)).toEqual(await structureOf(documented.body, requestIds));
  const namespace = namespaceOf(documented.body);
  if (namespace !== undefined) expect(namespaceOf(written.body)).toBe(namespace);
  expect(written.headers).toMatchObject(headersOf(documented));
}

/** Headers that differ in each answer may have any value. */
const headersOf = ({ headers }: AwsHttpResponse): object =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofNobody.test(name))
      .map(([name, value]) => [name, /request-?id/.test(name) ? (expect.any(String) as string) : value]),
  );
