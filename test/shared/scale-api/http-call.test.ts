import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { readHttpCall } from '../../../shared/scale-api/http-call.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';

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
