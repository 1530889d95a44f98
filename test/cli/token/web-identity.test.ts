import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../../cli/context.ts';
import { createStsWorld } from '../../support/sts-world.ts';
import { createCliWorld } from '../support.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-web-identity-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function createWorld(machine: Partial<Machine> = {}) {
  const sts = createStsWorld();
  sts.iam.tokenIssuer.enable();
  const { run } = createCliWorld({
    environment: { ...sts.environment, AWS_REGION: 'eu-west-1' },
    context: {
      clock: sts.clock,
      homeDirectory: home,
      readFile: (path) => readFile(path, 'utf8'),
      sendHttp: sts.sendHttp,
      ...machine,
    },
  });
  const get = (...flags: readonly string[]) =>
    run('token', 'get', '--cluster', 'prod', '--web-identity', ...flags);
  return { ...sts, get };
}

const claimsOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('drover token get --web-identity', () => {
  it('answers a kubeconfig in the version that it asks for, with the end that the token has', async () => {
    for (const version of ['v1', 'v1beta1']) {
      const apiVersion = `client.authentication.k8s.io/${version}`;
      const { environment } = createStsWorld();
      const { get } = createWorld({
        environment: {
          ...environment,
          AWS_REGION: 'eu-west-1',
          KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion }),
        },
      });
      const { code, out } = await get('--no-cache');
      expect(code).toBe(0);
      const { status, ...rest } = JSON.parse(out);
      expect(rest).toEqual({ apiVersion, kind: 'ExecCredential' });
      const { exp, aud, sub } = claimsOf(status.token);
      expect(Date.parse(status.expirationTimestamp)).toBe(exp * 1000);
      expect([aud, sub]).toEqual(['drover:prod', 'arn:aws:iam::123456789012:user/ann']);
    }
  });

  it('asks the endpoint of the region, because the global one has no such call', async () => {
    const { get, sent } = createWorld();
    await get('--region', 'us-east-1');
    await get('--fips', '--region', 'us-west-2');
    expect(sent).toEqual(['sts.us-east-1.amazonaws.com', 'sts-fips.us-west-2.amazonaws.com']);
  });

  it('asks for the audience, the lifetime and the algorithm of its flags', async () => {
    const { get } = createWorld();
    const { out } = await get('--raw', '--audience', 'a', '--duration', '15m', '--algorithm', 'RS256');
    const { aud, iat, exp } = claimsOf(out);
    expect([aud, exp - iat]).toEqual(['a', 900]);
    expect(JSON.parse(Buffer.from(out.split('.')[0] ?? '', 'base64url').toString()).alg).toBe('RS256');
  });

  it('keeps the token until a minute before its end, apart from those for others', async () => {
    const { get, clock } = createWorld();
    const first = (await get('--raw')).out;
    clock.advance(239);
    expect((await get('--raw')).out).toBe(first);
    expect((await get('--raw', '--audience', 'a')).out).not.toBe(first);
    clock.advance(1);
    expect((await get('--raw')).out).not.toBe(first);
  });

  it.each(['59s', '2h', '0', 'soon'])('refuses a lifetime of %s, which STS has not', async (duration) => {
    expect((await createWorld().get('--duration', duration)).code).toBe(2);
  });

  it('refuses an audience for a presigned request, which has none', async () => {
    const { run } = createCliWorld({
      environment: { ...createStsWorld().environment, AWS_REGION: 'eu-west-1' },
    });
    expect((await run('token', 'get', '--cluster', 'prod', '--audience', 'a')).code).toBe(2);
  });

  it('says what to do if the account gives out no tokens, and if the identity may not ask', async () => {
    const { get, iam, refused } = createWorld();
    iam.tokenIssuer.disable();
    expect(await get()).toMatchObject({
      code: 1,
      err: expect.stringContaining('aws iam enable-outbound-web-identity-federation'),
    });
    iam.tokenIssuer.enable();
    refused.add('GetWebIdentityToken');
    expect(await get()).toMatchObject({
      code: 1,
      err: expect.stringContaining('needs sts:GetWebIdentityToken, for the audience drover:prod'),
    });
  });

  it('says what to do if the credentials end before the token would', async () => {
    const sts = createStsWorld();
    sts.iam.tokenIssuer.enable();
    const { arn: roleArn } = sts.iam.putRole({
      roleName: 'dev',
      policies: [],
      trustPolicy: { Version: '2012-10-17', Statement: [] },
    });
    const { accessKeyId, secretAccessKey, sessionToken } = sts.iam.issueCredentials({
      roleArn,
      sessionName: 's',
      durationSeconds: 900,
    });
    const { get } = createWorld({
      sendHttp: sts.sendHttp,
      environment: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_SESSION_TOKEN: sessionToken,
      },
    });
    expect(await get('--duration', '1h')).toMatchObject({
      code: 1,
      err: expect.stringContaining('shorter --duration'),
    });
  });

  it('accepts nothing that is not a token, and keeps nothing then', async () => {
    const { get } = createWorld({
      sendHttp: async () => ({
        status: 200,
        headers: { 'x-amzn-requestid': 'x' },
        body: '',
        bytes: Buffer.from(
          '<GetWebIdentityTokenResponse><GetWebIdentityTokenResult><WebIdentityToken>hello</WebIdentityToken></GetWebIdentityTokenResult></GetWebIdentityTokenResponse>',
        ),
      }),
    });
    expect(await get()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not a JWT') });
  });

  it('fails if STS does not answer, and prints nothing', async () => {
    const { get } = createWorld({ sendHttp: () => Promise.reject(new Error('connect ETIMEDOUT')) });
    expect(await get()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ETIMEDOUT') });
  });
});
