import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../shared/net/http.ts';
import { runDrover } from './run-drover.ts';

/** `drover` against a server that answers so. */
async function drover(line: string, answer: Partial<HttpResponse>, environment: Record<string, string> = {}) {
  const requests: HttpRequest[] = [];
  const run = await runDrover(line, {
    environment: {
      DROVER_API_URL: 'https://api.example/prod/',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
      ...environment,
    },
    clock: { now: () => Date.UTC(2026, 10, 21, 8), after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.reject(new Error('nothing to wait for')),
    sendHttp: (request) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: '', ...answer });
    },
  });
  return { ...run, requests };
}

const change = (status: string) => ({
  status: 202,
  body: JSON.stringify({
    autoScalingGroupName: 'workers',
    from: 1,
    desiredCapacity: 2,
    direction: 'out',
    reason: 'Auto Scaling launches 1 instance',
    status,
  }),
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a request to the scale API', () => {
  it('keeps the path of the address, and is signed for execute-api with the given clock', async () => {
    const { requests } = await drover('groups', { body: '{"groups":[]}' });
    expect(requests[0]?.url).toBe('https://api.example/prod/groups');
    expect(requests[0]?.headers.authorization).toContain(
      'Credential=AKIATEST/20261121/eu-west-1/execute-api/aws4_request',
    );
  });

  it('carries the session token of temporary credentials', async () => {
    const answer = { body: '{"groups":[]}' };
    const { requests } = await drover('groups', answer, { AWS_SESSION_TOKEN: 'of-the-session' });
    expect(requests[0]?.headers['x-amz-security-token']).toBe('of-the-session');
  });

  it('is signed with the keys of the environment even if $AWS_PROFILE is set, as the AWS CLI does', async () => {
    const answer = { body: '{"groups":[]}' };
    const { requests } = await drover('groups', answer, { AWS_PROFILE: 'there-is-no-such-profile' });
    expect(requests[0]?.headers.authorization).toContain('Credential=AKIATEST/');
  });

  it('is not sent with a profile that does not exist, and the error says how to find the others', async () => {
    for (const file of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(file, '/nowhere/file');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    const { exitCode, stderr, requests } = await drover('groups --profile there-is-no-such-profile', {});
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'profile there-is-no-such-profile is in neither file of AWS profiles: check it with aws configure list-profiles',
    );
    expect(requests).toEqual([]);
  });

  it('never follows a link to another server', async () => {
    const { exitCode, stderr, requests } = await drover(
      'scale workers 2 --wait',
      change('https://elsewhere.example/groups/workers/capacity'),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('a link to another server');
    expect(requests).toHaveLength(1);
  });
});

describe('an answer that does not come from the scale API', () => {
  it.each([
    [
      { status: 200, body: '<html>' },
      'something else than expected, which is no JSON: check --endpoint or DROVER_API_URL',
    ],
    [{ status: 200, body: '' }, 'which is no JSON: check --endpoint'],
    [{ status: 200, body: '[]' }, 'are both of one version?'],
    [
      { status: 429, body: '{"message":"Too Many Requests"}' },
      'answered 429 and no problem document: too many requests; try again in some seconds\n',
    ],
    [
      { status: 500, body: '{"message":"Internal Server Error"}' },
      'the scale API at api.example answered 500 and no problem document: try again, and see the log of the function scale-api\n',
    ],
    [{ status: 200, body: '{"groups":[{}]}' }, 'groups.0.autoScalingGroupName'],
    [{ status: 404, body: '{"message":"Not Found"}' }, 'check its address'],
    [{ status: 403, body: '{"message":"Forbidden"}' }, 'execute-api:Invoke'],
    [
      { status: 403, body: '<html>' },
      'api.example rejected the request (403) with a response that is not from API Gateway',
    ],
    [
      { status: 401, body: '{"message":"Unauthorized"}' },
      'asks for another sign-in than a signature of AWS (401)',
    ],
    [{ status: 302, body: '' }, 'the scale API at api.example answered 302'],
  ])('is reported by its message or its status: %j', async (answer, words) => {
    const { exitCode, stderr } = await drover('groups', answer);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words);
  });

  it('says that a change may have been made where the function failed or took too long', async () => {
    const { stderr } = await drover('scale workers 2', { status: 504, body: '' });
    expect(stderr).toContain('a change may have been made, and the same command may be given again');
  });

  it('may be a problem document, which is read with its fields', async () => {
    const body = JSON.stringify({
      type: 'https://drover.dev/problems/invalid-body',
      title: 'The body is not valid',
      status: 422,
      detail: 'errors lists every wrong field',
      errors: [{ pointer: '#/desiredCapacity', detail: 'expected number' }],
    });
    const { stderr } = await drover('scale workers 2', { status: 422, body });
    expect(stderr).toBe(
      'drover: The body is not valid: errors lists every wrong field; #/desiredCapacity expected number\n',
    );
  });
});
