import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { readBody, readHttpCall, readQuery } from '../../../shared/scale-api/http-call.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';
import { capacityRequest, dryRunQuery } from '../../../shared/scale-api/schemas/requests.ts';

describe('a request from API Gateway', () => {
  it('is read with its method, path, query, body and caller', () => {
    const call = readHttpCall(httpEvent('PUT', '/groups/workers/capacity?dryRun=true', { body: '{}' }));
    expect(call).toMatchObject({
      method: 'PUT',
      path: '/groups/workers/capacity',
      basePath: '',
      body: '{}',
      callerArn: 'arn:aws:iam::123456789012:user/operator',
    });
    expect(call.query.get('dryRun')).toBe('true');
  });

  it('has the stage removed from its path and kept for links', () => {
    const call = readHttpCall(httpEvent('GET', '/prod/groups', { stage: 'prod' }));
    expect(call).toMatchObject({ path: '/groups', basePath: '/prod' });
  });

  it('keeps a path that begins with the letters of the stage', () => {
    expect(readHttpCall(httpEvent('GET', '/groups', { stage: 'gro' })).path).toBe('/groups');
  });

  it.each(['/groups/a%2Fb', '/groups/%41', '/groups/a b', '/groups/100%'])(
    'keeps the path %s, which API Gateway has decoded',
    (path) => {
      expect(readHttpCall(httpEvent('GET', path)).path).toBe(path);
    },
  );

  it('has a binary body decoded, and header names in lower case', () => {
    const call = readHttpCall(
      httpEvent('PUT', '/x', { body: 'eyJhIjoxfQ==', isBase64Encoded: true, headers: { 'X-Any': '1' } }),
    );
    expect(call.body).toBe('{"a":1}');
    expect(call.headers['x-any']).toBe('1');
  });

  it.each([undefined, null, 'text', 7, {}, { version: '1.0', path: '/groups' }, { version: '2.0' }])(
    'is refused with a problem if it has another format: %j',
    (event) => {
      expect(() => readHttpCall(event)).toThrow(ProblemError);
    },
  );
});

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
