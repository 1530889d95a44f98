import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { connectWith, type KubeconfigAbilities } from '../../../../shared/kubernetes/kubeconfig/connect.ts';
import { KubeconfigError, parseKubeconfig } from '../../../../shared/kubernetes/kubeconfig/parse.ts';

const pem = '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n';
const encoded = Buffer.from(pem).toString('base64');

interface Parts {
  readonly cluster?: object;
  readonly user?: object | null;
  readonly rest?: object;
}

const kubeconfig = ({ cluster = {}, user = {}, rest = {} }: Parts = {}): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    clusters: [{ name: 'c', cluster: { server: 'https://api.test:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', namespace: 'x' } }],
    ...rest,
  });

const abilities: KubeconfigAbilities = { clock: { now: () => 0 } };

const connect = async (parts: Parts, extra: Partial<KubeconfigAbilities> = {}) =>
  await connectWith(await parseKubeconfig(kubeconfig(parts)), { ...abilities, ...extra });

const aws = (args: readonly string[], rest: object = {}) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws', args, ...rest },
});

describe('a kubeconfig', () => {
  it('with a token and an authority becomes a connection', async () => {
    const { connection } = await connect({
      cluster: { 'certificate-authority-data': encoded, 'tls-server-name': 'api' },
      user: { token: 'abc\n' },
    });
    expect(connection).toEqual({
      server: 'https://api.test:6443',
      tls: { certificateAuthority: pem, serverName: 'api' },
      bearerToken: 'abc',
    });
  });

  it('with a client certificate becomes a connection without a token', async () => {
    const user = { 'client-certificate-data': encoded, 'client-key-data': encoded };
    const { connection } = await connect(
      { user, cluster: { 'insecure-skip-tls-verify': true } },
      { mayTrustAnyServer: true },
    );
    expect(connection.tls).toEqual({ clientCertificate: pem, clientKey: pem, insecureSkipVerify: true });
    expect(connection).not.toHaveProperty('bearerToken');
  });

  it('that trusts any server is refused in a function', async () => {
    await expect(
      connect({ user: { token: 'abc' }, cluster: { 'insecure-skip-tls-verify': true } }),
    ).rejects.toThrow('clusters[c].cluster.insecure-skip-tls-verify: a function verifies the server');
  });

  it.each(['certificate-authority', 'certificate-authority-data'])(
    'that trusts any server beside a %s is refused everywhere',
    async (key) => {
      const cluster = { 'insecure-skip-tls-verify': true, [key]: encoded };
      await expect(
        connect({ user: { token: 'abc' }, cluster }, { mayTrustAnyServer: true, readFile: async () => pem }),
      ).rejects.toThrow(/insecure-skip-tls-verify: is given beside a certificate authority/);
    },
  );

  it('with files is read if files can be read, and data wins over a file', async () => {
    const readFile = (path: string) => Promise.resolve(path === 'token' ? 'from file\n' : pem);
    const made = await connect(
      {
        cluster: { 'certificate-authority': 'ca.pem' },
        user: { token: 'inline', tokenFile: 'token', 'client-certificate': 'x', 'client-key': 'y' },
      },
      { readFile },
    );
    expect(made.connection).toMatchObject({
      bearerToken: 'from file',
      tls: { certificateAuthority: pem, clientKey: pem },
    });
  });

  it('may be JSON', async () => {
    const text = kubeconfig({ user: { token: 'abc' }, cluster: { 'tls-server-name': 'api' } });
    const json = JSON.stringify(parse(text));
    expect(await parseKubeconfig(json)).toEqual(await parseKubeconfig(text));
  });

  it('needs no user', async () => {
    const text = kubeconfig({ user: null });
    expect((await connectWith(await parseKubeconfig(text), abilities)).connection.tls).toEqual({});
    const contexts = [{ name: 'main', context: { cluster: 'c' } }];
    expect((await parseKubeconfig(kubeconfig({ rest: { contexts } }))).user).toEqual({});
  });

  it('is read in the named context, else the current one, else the only one', async () => {
    const contexts = [
      { name: 'main', context: { cluster: 'c', user: 'u' } },
      { name: 'other', context: { cluster: 'c', user: 'u' } },
    ];
    expect((await parseKubeconfig(kubeconfig({ rest: { contexts } }), 'other')).name).toBe('other');
    expect((await parseKubeconfig(kubeconfig({ rest: { contexts } }))).name).toBe('main');
    expect((await parseKubeconfig(kubeconfig({ rest: { 'current-context': '' } }))).name).toBe('main');
    await expect(parseKubeconfig(kubeconfig({ rest: { contexts, 'current-context': '' } }))).rejects.toThrow(
      /main, other/,
    );
  });

  it('is read in its current context, at any place in the list', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9@.:/_-]{0,20}$/), {
      minLength: 2,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), async (all, at) => {
        const current = all[at % all.length] ?? '';
        const text = stringify({
          'current-context': current,
          clusters: all.map((name) => ({ name: `c-${name}`, cluster: { server: `https://${name}.test` } })),
          users: all.map((name) => ({ name: `u-${name}`, user: { token: `token-${name}` } })),
          contexts: all.map((name) => ({ name, context: { cluster: `c-${name}`, user: `u-${name}` } })),
        });
        expect(await parseKubeconfig(text)).toMatchObject({
          name: current,
          cluster: { server: `https://${current}.test` },
          user: { token: `token-${current}` },
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('credentials from an exec plugin', () => {
  const getToken = [
    '--region',
    'eu-west-1',
    'eks',
    'get-token',
    '--cluster-name',
    'drover',
    '--output',
    'json',
  ];

  it('come from the plugin if programs can run', async () => {
    const made = await connect(
      { user: aws(getToken) },
      { runPlugin: ({ command }) => Promise.resolve({ token: `by ${command}`, expiresAt: 5 }) },
    );
    expect(made).toMatchObject({ connection: { bearerToken: 'by aws' }, expiresAt: 5 });
  });

  it.each([
    [aws(getToken), { clusterId: 'drover', region: 'eu-west-1' }],
    [aws(['eks', 'get-token', '--cluster-name=drover']), { clusterId: 'drover' }],
    [aws(['token', '-i', 'drover'], { command: '/usr/bin/aws-iam-authenticator' }), { clusterId: 'drover' }],
    [aws(['token', '--cluster-id', 'drover'], { command: 'aws-iam-authenticator' }), { clusterId: 'drover' }],
  ])('come from our own role if no program can run: %j', async (user, expected) => {
    const asked: unknown[] = [];
    const makeIamToken = (request: unknown) => {
      asked.push(request);
      return Promise.resolve({ token: 't', clientCertificate: pem, clientKey: pem });
    };
    const made = await connect({ user }, { makeIamToken });
    expect(asked).toEqual([expected]);
    expect(made.connection).toMatchObject({
      bearerToken: 't',
      tls: { clientCertificate: pem, clientKey: pem },
    });
  });

  it.each([
    aws([...getToken, '--role-arn', 'arn:aws:iam::123456789012:role/x']),
    aws([...getToken, '--debug']),
    aws(getToken, { env: [{ name: 'AWS_PROFILE', value: 'x' }] }),
    aws(['eks', 'get-token', '--region', 'eu-west-1']),
    aws(['sts', 'get-caller-identity']),
    aws([], { command: 'aws-iam-authenticator' }),
    aws(['token'], { command: 'gke-gcloud-auth-plugin' }),
    aws([], { args: null }),
  ])('are refused in any other form if no program can run: %j', async (user) => {
    const makeIamToken = () => Promise.resolve({ token: 't' });
    await expect(connect({ user }, { makeIamToken })).rejects.toThrow(
      /users\[u\]\.user\.exec: no program can run here/,
    );
  });
});

describe('a kubeconfig that cannot be used', () => {
  it.each<readonly [string, Parts, RegExp]>([
    ['a proxy', { cluster: { 'proxy-url': 'http://p' } }, /clusters\[c\]\.cluster\.proxy-url.*not supported/],
    ['no address', { cluster: { server: 'api' } }, /clusters\[c\]\.cluster\.server/],
    ['http', { cluster: { server: 'http://api.example:8080' } }, /server: http would send credentials/],
    [
      'http in capitals',
      { cluster: { server: 'HTTP://api.example' } },
      /server: http would send credentials/,
    ],
    ['http to a name like loopback', { cluster: { server: 'http://localhost.evil.example' } }, /http would/],
    ['another scheme', { cluster: { server: 'ftp://api' } }, /server/],
    ['a password in the address', { cluster: { server: 'https://u:hunter2@api' } }, /server/],
    ['half a certificate', { user: { 'client-certificate-data': encoded } }, /must be given together/],
    [
      'no PEM',
      { user: { 'client-certificate-data': 'aHVudGVyMg==' } },
      /client-certificate-data: is not a PEM/,
    ],
    [
      'a file',
      { cluster: { 'certificate-authority': '/ca' } },
      /certificate-authority: no files can be read/,
    ],
    ['a token file', { user: { tokenFile: '/t' } }, /tokenFile: no files can be read/],
    ['a password', { user: { username: 'admin', password: 'hunter2' } }, /username.*token/],
    ['an old plugin', { user: { 'auth-provider': { name: 'gcp' } } }, /auth-provider/],
  ])('is refused for %s, without quoting a value', async (_, parts, message) => {
    const error: unknown = await connect(parts).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(KubeconfigError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
  });

  it('is refused for an unreadable file, with the cause', async () => {
    const readFile = () => Promise.reject(new Error('ENOENT'));
    for (const parts of [{ user: { tokenFile: '/t' } }, { cluster: { 'certificate-authority': '/c' } }])
      await expect(connect(parts, { readFile })).rejects.toMatchObject({ cause: { message: 'ENOENT' } });
  });

  it.each<readonly [string, string, RegExp]>([
    ['no YAML', 'token: [hunter2', /not YAML \(line 1\)/],
    ['an alias bomb', 'a: &a [x]\nb: *a', /not YAML/],
    ['too long a text', 'x'.repeat(1024 * 1024 + 1), /longer/],
    ['a list', '- hunter2', /the document/],
    ['nothing', '', /the document/],
    ['no contexts', '{}', /current-context is not set; there are none/],
    [
      'wrong types',
      stringify({ clusters: [{ name: 3, cluster: { server: 4 } }], contexts: 'x' }),
      /clusters\[0\]\.name.*contexts/,
    ],
    [
      'another context',
      kubeconfig({ rest: { 'current-context': 'x' } }),
      /there is no context "x"; there are main/,
    ],
    [
      'a missing cluster',
      kubeconfig({ rest: { clusters: [] } }),
      /contexts\[main\]\.context\.cluster names none of none/,
    ],
    ['a missing user', kubeconfig({ rest: { users: null } }), /contexts\[main\]\.context\.user/],
  ])('is refused for %s', async (_, text, message) => {
    const error: unknown = await parseKubeconfig(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'KubeconfigError', message });
    expect(inspect(error)).not.toContain('hunter2');
  });

  it('is always refused with a KubeconfigError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        await expect(parseKubeconfig(text)).rejects.toThrow(KubeconfigError);
      }),
    );
  });
});
