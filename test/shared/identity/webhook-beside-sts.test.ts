import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAskSts } from '../../../shared/aws/ask-sts.ts';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import { answerWebhook, type WebhookContext } from '../../../shared/identity/webhook.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';
import { type Answer, awsOnLoopback } from '../../support/aws-on-loopback.ts';
import { presignedUrl, signedAt, tokenOf } from './tokens.ts';

const token = tokenOf(await presignedUrl());
const secret = 's'.repeat(40);
const identity = (part: object = {}): string =>
  JSON.stringify({
    GetCallerIdentityResponse: {
      GetCallerIdentityResult: {
        Account: '123456789012',
        Arn: 'arn:aws:sts::123456789012:assumed-role/dev/ann',
        UserId: 'AROAQ3EGR6KXEXAMPLE2:ann',
        ...part,
      },
    },
  });

function contextFor(endpoint: string): WebhookContext {
  const { mapping } = readMapping(
    { mapRoles: [{ rolearn: 'arn:aws:iam::123456789012:role/dev', username: 'dev' }] },
    'all',
  );
  return {
    clock: { now: () => signedAt, after: () => ({ cancel: () => {} }) },
    now: () => signedAt,
    partition: 'aws',
    askSts: createAskSts({ requestHandler: awsOverHttp(sendHttp), clusterId: 'prod', endpoint }),
    readSecrets: async () => ({ current: secret }),
    readMappings: [async () => mapping],
    findInstance: async () => undefined,
    record: () => {},
    reportError: () => {},
  };
}

/** The user's name, `false`, or the status of an answer that is neither. */
async function verdictBy(endpoint: string): Promise<string | boolean | number> {
  const call = {
    method: 'POST',
    path: '/token-review',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token },
    }),
  };
  try {
    const { body } = await answerWebhook(contextFor(endpoint), call as never);
    const { status } = JSON.parse(body) as {
      readonly status: { readonly authenticated: boolean; readonly user?: { readonly username: string } };
    };
    return status.user?.username ?? status.authenticated;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.status;
    throw error;
  }
}

const asksAgain = 503;

describe('the webhook, over sockets, beside an STS', () => {
  it.each<readonly [string, Answer, string | boolean | number]>([
    ['that knows the token', { body: identity() }, 'dev'],
    [
      'that refuses the signature',
      { status: 403, body: '{"Error":{"Code":"SignatureDoesNotMatch"}}' },
      false,
    ],
    ['that throttles', { status: 400, body: '{"Error":{"Code":"Throttling"}}' }, asksAgain],
    ['that throttles by a status', { status: 429 }, asksAgain],
    ['that fails', { status: 500, body: '{}' }, asksAgain],
    ['that is overloaded, in HTML', { status: 503, body: '<html>busy</html>' }, asksAgain],
    ['in whose place a proxy answers in HTML', { body: '<html>Sign in</html>' }, asksAgain],
    ['in whose place a proxy refuses in HTML', { status: 403, body: '<html>no</html>' }, asksAgain],
    ['that says nothing', { body: '' }, asksAgain],
    ['that says a megabyte', { body: `${identity()}${' '.repeat(1_000_000)}` }, asksAgain],
    ['that names another account than its ARN', { body: identity({ Account: '210987654321' }) }, false],
    [
      'of another account',
      {
        body: identity({
          Account: '210987654321',
          Arn: 'arn:aws:sts::210987654321:assumed-role/dev/ann',
        }),
      },
      false,
    ],
    ['that names another session', { body: identity({ UserId: 'AROAQ3EGR6KXEXAMPLE2:eve' }) }, false],
  ])('%s', async (_, answer, verdict) => {
    const { environment } = await awsOnLoopback([answer]);
    expect(await verdictBy(environment.AWS_ENDPOINT_URL)).toBe(verdict);
  });

  it.each([301, 302, 303, 307, 308])(
    'that redirects with %i: the other place is never asked',
    async (status) => {
      const other = await awsOnLoopback(() => ({ body: identity() }));
      const location = `${other.environment.AWS_ENDPOINT_URL}/?Action=GetCallerIdentity`;
      const { environment } = await awsOnLoopback([{ status, headers: { location }, body: identity() }]);
      expect(await verdictBy(environment.AWS_ENDPOINT_URL)).toBe(asksAgain);
      expect(other.asked).toEqual([]);
    },
  );

  it('that is away, or hangs up in the middle of its answer', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write(identity().slice(0, 100));
      setImmediate(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await verdictBy(endpoint)).toBe(asksAgain);
    await new Promise((resolve) => server.close(resolve));
    expect(await verdictBy(endpoint)).toBe(asksAgain);
  });
});
