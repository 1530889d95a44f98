import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { readHttpCall } from '../../../shared/scale-api/http-call.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';
import { capacityRequest } from '../../../shared/scale-api/schemas/capacity-request.ts';
import { dryRunQuery } from '../../../shared/scale-api/schemas/parameters.ts';
import { readBody, readQuery } from '../../../shared/scale-api/validate.ts';

const bodyOf = (body: string, headers = {}) =>
  readBody(readHttpCall(httpEvent('PUT', '/x', { body, headers })), capacityRequest());

function problemOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('a body', () => {
  it('is read with its schema', () => {
    expect(bodyOf('{"desiredCapacity":3}')).toEqual({ desiredCapacity: 3 });
  });

  it('is read as JSON without a content type', () => {
    const call = { ...readHttpCall(httpEvent('PUT', '/x', { body: '{"desiredCapacity":3}' })), headers: {} };
    expect(readBody(call, capacityRequest())).toEqual({ desiredCapacity: 3 });
  });

  it('is refused with every wrong field by its pointer', () => {
    expect(problemOf(() => bodyOf('{"desiredCapacity":"3","force":true,"a/b":1}'))).toMatchObject({
      status: 422,
      errors: [
        { pointer: '#/desiredCapacity', detail: 'expected number' },
        { pointer: '#/force', detail: 'is unknown' },
        { pointer: '#/a~1b', detail: 'is unknown' },
      ],
    });
  });

  it.each([
    '{"desiredCapacity":-1}',
    '{"desiredCapacity":2.5}',
    '{"desiredCapacity":1e9}',
    '[]',
    'null',
    '{}',
  ])('is refused if it is not a capacity: %s', (body) => {
    expect(problemOf(() => bodyOf(body))).toMatchObject({ status: 422 });
  });

  it.each(['', '{', 'desiredCapacity=3'])('is refused if it is not JSON: %j', (body) => {
    expect(problemOf(() => bodyOf(body))).toMatchObject({ status: 400, detail: 'the body is not JSON' });
  });

  it('is refused in another media type, and read in any JSON type', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(problemOf(() => bodyOf('{"desiredCapacity":3}', form))).toMatchObject({ status: 415 });
    const charset = { 'content-type': 'application/json; charset=utf-8' };
    expect(bodyOf('{"desiredCapacity":3}', charset)).toEqual({ desiredCapacity: 3 });
  });

  it('is refused beyond 16 KiB, before it is parsed', () => {
    expect(problemOf(() => bodyOf(`{"desiredCapacity":3,"x":"${'ä'.repeat(9000)}"}`))).toMatchObject({
      status: 413,
    });
  });

  it('is never quoted in a problem', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{12,20}$/), (secret) => {
        const problem = problemOf(() => bodyOf(JSON.stringify({ desiredCapacity: secret })));
        expect(JSON.stringify(problem)).not.toContain(secret);
      }),
    );
  });
});

describe('a query', () => {
  const queryOf = (query: string) => readQuery(readHttpCall(httpEvent('PUT', `/x?${query}`)), dryRunQuery());

  it('is read with its schema', () => {
    expect(queryOf('dryRun=true')).toEqual({ dryRun: 'true' });
    expect(queryOf('')).toEqual({});
  });

  it.each(['dryrun=true', 'dryRun=yes', 'dryRun=', 'dryRun=false&dryRun=true'])(
    'is refused if it is misspelt, so that no change is made by mistake: %s',
    (query) => {
      expect(problemOf(() => queryOf(query))).toMatchObject({
        status: 400,
        errors: [{ parameter: expect.stringMatching(/^dry/i) }],
      });
    },
  );
});
