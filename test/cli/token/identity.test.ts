import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSsm } from '@drover/cloud-sandbox/aws';
import {
  accountId,
  createTestFront,
  credentials,
  region,
} from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import type { Machine } from '../../../cli/context.ts';
import { createStsWorld } from '../../support/sts-world.ts';
import { createCliWorld } from '../support.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-token-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function createWorld(machine: Partial<Machine> = {}) {
  const sts = createStsWorld();
  const lines: string[] = [];
  const { run } = createCliWorld({
    environment: {
      AWS_ACCESS_KEY_ID: sts.accessKeyId,
      AWS_SECRET_ACCESS_KEY: sts.secretAccessKey,
      AWS_REGION: 'eu-west-1',
    },
    context: {
      clock: sts.clock,
      homeDirectory: home,
      readFile: (path) => readFile(path, 'utf8'),
      sendHttp: sts.sendHttp,
      async *inputLines() {
        yield* lines;
      },
      ...machine,
    },
  });
  const get = async (...flags: readonly string[]) =>
    (await run('token', 'get', '--cluster', 'prod', '--raw', ...flags)).out.trim();
  const verify = (tokens: readonly string[], ...flags: readonly string[]) => {
    lines.splice(0, lines.length, ...tokens);
    return run('token', 'verify', '--cluster', 'prod', ...flags);
  };
  return { ...sts, run, get, verify };
}

describe('drover token get', () => {
  it('answers a kubeconfig in the version that it asks for', async () => {
    const environment = { ...createStsWorld().environment, AWS_REGION: 'eu-west-1' };
    for (const version of ['v1', 'v1beta1']) {
      const apiVersion = `client.authentication.k8s.io/${version}`;
      const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
      const { run, clock } = createWorld({ environment: { ...environment, KUBERNETES_EXEC_INFO: info } });
      const { code, out } = await run('token', 'get', '--cluster', 'prod');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({
        apiVersion,
        kind: 'ExecCredential',
        status: {
          token: expect.stringMatching(/^k8s-aws-v1\.[\w-]+$/),
          expirationTimestamp: new Date(clock.now() + 14 * 60_000).toISOString().replace('.000Z', 'Z'),
        },
      });
    }
  });

  it('prints v1beta1 for a client that does not say its version, as oc of 3.11', async () => {
    const { out } = await createWorld().run('token', 'get', '--cluster', 'prod');
    expect(JSON.parse(out)).toMatchObject({ apiVersion: 'client.authentication.k8s.io/v1beta1' });
  });

  it('refuses a version that it does not speak, and a missing region', async () => {
    const alpha = { KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1alpha1"}' };
    expect(await createWorld({ environment: alpha }).run('token', 'get', '--cluster', 'prod')).toMatchObject({
      code: 2,
    });
    const { err, code } = await createWorld({ environment: {} }).run('token', 'get', '--cluster', 'prod');
    expect([code, err]).toEqual([
      2,
      'drover: give --region, or set AWS_REGION, or the region of the AWS profile\n',
    ]);
  });

  it('keeps the token in a file that only its owner can read, and makes another a minute before its end', async () => {
    const { get, clock } = createWorld();
    const first = await get();
    const folder = join(home, '.cache/drover/tokens');
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    clock.advance(12 * 60 + 59);
    expect(await get()).toBe(first);
    clock.advance(1);
    expect(await get()).not.toBe(first);
  });

  it('keeps tokens of other clusters, regions and credentials apart', async () => {
    const { get, run } = createWorld();
    const first = await get();
    expect(await get('--region', 'us-east-1')).not.toBe(first);
    expect((await run('token', 'get', '--cluster', 'other', '--raw')).out.trim()).not.toBe(first);
  });

  it('keeps credentials of other sources apart', async () => {
    const environment = { ...createStsWorld().environment, AWS_REGION: 'eu-west-1' };
    const names = [
      'AWS_ACCESS_KEY_ID',
      'AWS_PROFILE',
      'AWS_CONFIG_FILE',
      'AWS_SHARED_CREDENTIALS_FILE',
      'AWS_ROLE_ARN',
    ];
    for (const name of names) await createWorld({ environment: { ...environment, [name]: 'another' } }).get();
    await createWorld({ environment }).get();
    expect(readdirSync(join(home, '.cache/drover/tokens'))).toHaveLength(names.length + 1);
  });

  it.each(['', 'relative/cache'])(
    'keeps nothing below the folder it runs in: XDG_CACHE_HOME=%s',
    async (cache) => {
      const environment = { ...createStsWorld().environment, AWS_REGION: 'eu-west-1', XDG_CACHE_HOME: cache };
      await createWorld({ environment }).get();
      expect(readdirSync(join(home, '.cache/drover/tokens'))).toHaveLength(1);
    },
  );

  it('takes the credentials of the profile of the flag, and not those of the environment', async () => {
    const file = join(home, 'credentials');
    writeFileSync(file, '[other]\naws_access_key_id = AKIAOTHERKEYEXAMPLE\naws_secret_access_key = x\n');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
    vi.stubEnv('AWS_CONFIG_FILE', join(home, 'none'));
    const { get } = createWorld();
    const own = await get();
    const other = await get('--profile', 'other').finally(() => vi.unstubAllEnvs());
    expect(Buffer.from(other.slice(11), 'base64url').toString()).toContain('AKIAOTHERKEYEXAMPLE');
    expect(await get()).toBe(own);
  });

  it('warns once where the token cannot be cached, and says what to do', async () => {
    writeFileSync(join(home, 'file'), '');
    const { run } = createWorld({ homeDirectory: join(home, 'file') });
    expect(await run('token', 'get', '--cluster', 'prod')).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^warning: the token is not cached: ENOTDIR.*: set XDG_CACHE_HOME to a folder of yours, or give --no-cache\n$/,
      ),
    });
  });

  it('uses no kept token of a clock that was ahead', async () => {
    const { get, clock } = createWorld();
    clock.advance(2 * 3600);
    const ahead = await get();
    expect(await createWorld().get()).not.toBe(ahead);
  });

  it('takes an empty region for a missing one', async () => {
    const environment = { ...createStsWorld().environment, AWS_REGION: '' };
    expect(await createWorld({ environment }).run('token', 'get', '--cluster', 'prod')).toMatchObject({
      code: 2,
    });
    const { get } = createWorld({ environment: { ...environment, AWS_DEFAULT_REGION: 'eu-west-1' } });
    expect(await get()).toMatch(/^k8s-aws-v1\./);
  });

  it('says that a region has no FIPS endpoint, and warns of one without any', async () => {
    const { run, get } = createWorld();
    const at = (...flags: readonly string[]) => run('token', 'get', '--cluster', 'prod', ...flags);
    expect(await at('--fips')).toMatchObject({
      code: 2,
      out: '',
      err: 'drover: AWS STS has no FIPS endpoint in eu-west-1: leave out --fips\n',
    });
    const mistyped = await at('--region', 'eu-wset-1');
    expect([mistyped.code, mistyped.err]).toEqual([
      0,
      'warning: eu-wset-1 is not a region whose STS endpoint Drover knows: the token webhook will reject this token\n',
    ]);
    const urlOf = (token: string) => Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString();
    expect(urlOf(await get('--fips', '--region', 'us-east-2'))).toMatch(/^https:\/\/sts-fips\.us-east-2\./);
    expect(urlOf(await get('--fips', '--region', 'us-gov-west-1'))).toMatch(
      /^https:\/\/sts\.us-gov-west-1\.amazonaws\.com\//,
    );
  });

  it('keeps none with --no-cache, and reads none', async () => {
    const { get } = createWorld();
    await get('--no-cache');
    expect(readdirSync(home)).toEqual([]);
    const first = await get();
    expect(await get('--region', 'eu-west-1')).toBe(first);
    writeFileSync(
      join(home, '.cache/drover/tokens', readdirSync(join(home, '.cache/drover/tokens'))[0] ?? ''),
      'x',
    );
    const { err } = await createWorld().run('token', 'get', '--cluster', 'prod', '--no-cache');
    expect(err).toBe('');
  });
});

describe('drover token verify', () => {
  it('says whose token it is, also 14 minutes later', async () => {
    const { get, verify, clock, arn } = createWorld();
    const token = await get();
    clock.advance(14 * 60);
    expect(await verify([token])).toEqual({ code: 0, out: `accepted: ${arn}\n`, err: '' });
  });

  it('says in JSON which check refuses each, and prints no token', async () => {
    const { get, verify, arn } = createWorld();
    const good = await get();
    const forCluster = await get('--region', 'us-east-1');
    const tokens = ['eyJhbGciOiJSUzI1NiJ9.e30.x', good, `${good}A`, forCluster];
    const { code, out, err } = await verify(tokens, '--json');
    expect(code).toBe(1);
    expect(err).toBe('drover: 2 of 4 tokens are not accepted\n');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { accepted: false, check: 'prefix' },
      { accepted: true, identity: { arn } },
      { accepted: false },
      { accepted: true },
    ]);
    for (const token of tokens) expect(out).not.toContain(token);
  });

  it('refuses a token for another cluster, because STS does', async () => {
    const { run, verify } = createWorld();
    const other = (await run('token', 'get', '--cluster', 'other', '--raw')).out.trim();
    expect(await verify([other])).toMatchObject({
      code: 1,
      out: 'refused (sts): STS does not accept it (403)\n',
    });
  });

  it('says that it is unknown where STS does not answer', async () => {
    const { get } = createWorld();
    const token = await get();
    const away = createWorld({ sendHttp: () => Promise.reject(new Error('no route')) });
    expect(await away.verify([token])).toMatchObject({
      code: 1,
      out: 'unknown: STS does not answer: no route\n',
    });
    expect(await away.verify([token], '--no-sts')).toMatchObject({
      code: 0,
      out: 'well-formed: STS was not asked\n',
    });
  });

  it.each([
    ['a flag', {}, ['--sts-endpoint', 'https://127.0.0.1:4443/']],
    ['the environment', { AWS_ENDPOINT_URL_STS: 'https://127.0.0.1:4443/' }, []],
  ])('asks another server if %s is set', async (_, variables, flags) => {
    const urls: string[] = [];
    const { get, verify } = createWorld({
      environment: { ...createStsWorld().environment, AWS_REGION: 'eu-west-1', ...variables },
      sendHttp: async ({ url }) => {
        urls.push(url);
        return { status: 500, headers: {}, body: '' };
      },
    });
    await verify([await get()], ...flags);
    expect(urls).toEqual([expect.stringMatching(/^https:\/\/127\.0\.0\.1:4443\/\?Action=/)]);
  });

  it('wants a token', async () => {
    expect(await createWorld().verify([])).toMatchObject({ code: 2 });
  });
});

describe('drover token map', () => {
  const config = `apiVersion: v1
kind: ConfigMap
data:
  mapRoles: |
    - rolearn: arn:aws:iam::123456789012:role/team/dev
      username: dev:{{SessionName}}
      groups: [devs, oncall]
    - rolearn: arn:aws:iam::123456789012:role/node
      username: system:node:{{EC2PrivateDNSName}}
      groups: [system:bootstrappers, system:nodes]
    - rolearn: arn:aws:iam::123456789012:role/admin
      username: admin
      groups: [system:masters]
    - rolearn: nonsense
  mapUsers: "- userarn: ["
`;
  const map = (arn: string, ...flags: readonly string[]) => {
    const file = join(home, 'aws-auth.yaml');
    writeFileSync(file, config);
    return createWorld().run('token', 'map', `arn:aws:${arn}`, '--config', file, ...flags);
  };

  it('says the user, its groups and the entry, and warns of entries that are left out', async () => {
    const { code, out, err } = await map('sts::123456789012:assumed-role/dev/ann');
    expect([code, out]).toEqual([
      0,
      'dev:ann in devs, oncall, by mapRoles arn:aws:iam::123456789012:role/team/dev\n',
    ]);
    expect(err).toMatch(/warning: mapUsers: it is not YAML/);
    expect(err).toMatch(/warning: mapRoles\[3\]: rolearn is not the ARN of a role/);
  });

  it('says for a node which instance has to run', async () => {
    const { out } = await map('sts::123456789012:assumed-role/node/i-0123456789abcdef0', '--json');
    expect(JSON.parse(out)).toEqual({
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes'],
      place: 'mapRoles arn:aws:iam::123456789012:role/node',
      needsInstance: 'i-0123456789abcdef0',
    });
  });

  it('gives system:masters, but not with the limits of a ConfigMap', async () => {
    expect(await map('iam::123456789012:role/admin')).toMatchObject({ code: 0 });
    expect(await map('iam::123456789012:role/admin', '--configmap')).toMatchObject({ code: 1 });
  });

  it.each([
    ['an identity that no entry names', 'iam::123456789012:user/eve', 1],
    ['an ARN that is not an identity', 's3:::bucket', 2],
  ])('fails for %s', async (_, arn, code) => {
    expect((await map(arn)).code).toBe(code);
  });
});

describe('drover token webhook-config', () => {
  const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/token-review';

  function withSecret(value: string | undefined) {
    const { clock } = createStsWorld();
    const ssm = createSsm({
      clock,
      accountId,
      region,
      putAwsEvent: () => undefined,
    });
    if (value !== undefined)
      ssm.operations.PutParameter(
        { Name: '/drover/prod/token-webhook', Value: value, Type: 'SecureString' },
        {
          principal: { accountId, arn: `arn:aws:iam::${accountId}:user/me` },
          requestId: 'x',
        } as never,
      );
    const { clientOptions } = createTestFront({ services: [ssm], clock });
    return createWorld({
      environment: {
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_REGION: region,
      },
      awsRequestHandler: clientOptions.requestHandler,
    });
  }

  const print = (value: string | undefined, address = url, ...flags: readonly string[]) =>
    withSecret(value).run('token', 'webhook-config', '--cluster', 'prod', '--url', address, ...flags);

  it('prints a kubeconfig with only the current secret, and the flags beside it', async () => {
    const [current, previous] = ['c'.repeat(40), 'p'.repeat(40)];
    const { code, out, err } = await print(JSON.stringify({ current, previous }));
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject({
      clusters: [{ cluster: { server: url } }],
      users: [{ user: { token: current } }],
      'current-context': 'webhook',
    });
    expect(out + err).not.toContain(previous);
    expect(err).toContain('--authentication-token-webhook-config-file=/etc/kubernetes/token-webhook.yaml');
    expect(err).not.toContain(current);
  });

  it('says for OpenShift 3.11 what master-config.yaml needs, beside the same kubeconfig', async () => {
    const secret = JSON.stringify({ current: 'c'.repeat(40) });
    const { code, out, err } = await print(secret, url, '--openshift-3.11');
    expect(code).toBe(0);
    expect(out).toBe((await print(secret)).out);
    const configFile = '/etc/origin/master/token-webhook.yaml';
    const authConfig = { webhookTokenAuthenticators: [{ configFile, cacheTTL: '30s' }] };
    expect(parse(err)).toEqual({ authConfig });
    expect(err).toContain(`-p '${JSON.stringify({ authConfig })}'`);
    expect(err).not.toContain('authentication-token-webhook-version');
  });

  it.each(['/etc/kubernetes/token-webhook.yaml', '/etc/origin/master/../x.yaml'])(
    'refuses %s for OpenShift 3.11, whose API server cannot read it',
    async (file) => {
      const { code, err } = await print('unread', url, '--openshift-3.11', '--file', file);
      expect(code).toBe(2);
      expect(err).toContain('is not below /etc/origin/master/');
    },
  );

  it.each([
    ['is missing', undefined],
    ['is malformed', '{"current":"short"}'],
  ])('says how to make a secret if it %s', async (_, value) => {
    const { code, err } = await print(value);
    expect(code).toBe(1);
    expect(err).toContain('aws ssm put-parameter');
    expect(err).not.toContain('short');
  });

  it('says how to replace a secret that is malformed', async () => {
    expect((await print('{}')).err).toContain('--overwrite');
    expect((await print(undefined)).err).not.toContain('--overwrite');
  });

  it.each([
    'http://abc.example/token-review',
    'https://me:secret@abc.example/token-review',
    'https://abc.example/token-review#x',
    'https://abc.example/',
    'nonsense',
  ])('refuses the address %s', async (address) => {
    expect((await print(JSON.stringify({ current: 'c'.repeat(40) }), address)).code).toBe(2);
  });
});
