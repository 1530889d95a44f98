import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createStsWorld } from '../../support/sts-world.ts';
import { createCliWorld } from '../support.ts';

const account = 'arn:aws:iam::123456789012';
const issuer = 'https://a08ff49b.tokens.sts.global.api.aws';

function createWorld(files: Readonly<Record<string, string>> = {}) {
  const sts = createStsWorld();
  const { run } = createCliWorld({
    environment: { ...sts.environment, AWS_REGION: 'eu-west-1' },
    context: {
      clock: sts.clock,
      sendHttp: sts.sendHttp,
      readFile: async (path) => files[path] ?? Promise.reject(new Error(`no such file: ${path}`)),
    },
  });
  const config = (...flags: readonly string[]) => run('auth-config', '--cluster', 'prod', ...flags);
  return { ...sts, config };
}

const worker = ['--node-role', `worker=${account}:role/worker`];
const offline = [...worker, '--issuer', issuer];

describe('drover auth-config', () => {
  it('prints a configuration for the issuer of the flag, and calls nothing', async () => {
    const { config, sent } = createWorld();
    const { code, out, err } = await config(...offline, '--person', `ann,admins,ops=${account}:role/a=b`);
    expect(code).toBe(0);
    expect(err).toContain('--authentication-config=FILE');
    expect(sent).toEqual([]);
    const { apiVersion, kind, jwt } = parse(out);
    expect([apiVersion, kind, jwt.length]).toEqual([
      'apiserver.config.k8s.io/v1',
      'AuthenticationConfiguration',
      1,
    ]);
    expect(jwt[0].issuer).toEqual({ url: issuer, audiences: ['drover:prod'] });
    expect(jwt[0].claimMappings.username.expression).toContain(`'${account}:role/a=b': 'ann'`);
    expect(jwt[0].claimMappings.groups.expression).toContain(`'${account}:role/a=b': ['admins', 'ops']`);
  });

  it('takes another audience, and where the discovery document is', async () => {
    const { config } = createWorld();
    const { out } = await config(
      ...offline,
      '--audience',
      'k8s',
      '--discovery-url',
      'https://mirror.example/d',
    );
    expect(parse(out).jwt[0].issuer).toEqual({
      url: issuer,
      discoveryURL: 'https://mirror.example/d',
      audiences: ['k8s'],
    });
  });

  it('asks IAM for the issuer of your account', async () => {
    const { config, iam } = createWorld();
    iam.tokenIssuer.enable();
    expect(parse((await config(...worker)).out).jwt[0].issuer.url).toBe(iam.tokenIssuer.url());
    const other = await config('--node-role', 'worker=arn:aws:iam::999999999999:role/worker');
    expect(other).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('not from account 123456789012'),
    });
  });

  it('says what to do where the account gives out no tokens', async () => {
    expect(await createWorld().config(...worker)).toMatchObject({
      code: 1,
      err: expect.stringContaining('aws iam enable-outbound-web-identity-federation'),
    });
  });

  it('takes people from an aws-auth ConfigMap, and warns of what it leaves out', async () => {
    const mapRoles = `- {rolearn: ${account}:role/dev, username: dev, groups: [devs]}\n- {rolearn: ${account}:role/admin, username: admin, groups: ["system:masters"]}\n- {rolearn: nonsense}\n`;
    const { config } = createWorld({
      'aws-auth.yaml': JSON.stringify({ kind: 'ConfigMap', data: { mapRoles } }),
    });
    const { code, out, err } = await config(...offline, '--mapping', 'aws-auth.yaml');
    expect(code).toBe(0);
    expect(out).toContain(`'${account}:role/dev': ['devs']`);
    expect(out).not.toContain('role/admin');
    expect(err).toMatch(/left out: mapRoles\[2\].*\n.*left out: .*role\/admin: system:masters/);
  });

  it('adds to a configuration, and replaces its own authenticator with --replace', async () => {
    const first = (await createWorld().config(...offline)).out;
    const { config } = createWorld({ 'authentication.yaml': first });
    const person = ['--person', `ann=${account}:role/ann`, '--merge', 'authentication.yaml'];
    expect(await config(...offline, ...person)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('--replace'),
    });
    const { out } = await config(...offline, ...person, '--replace');
    expect(parse(out).jwt).toHaveLength(1);
    expect(out).toContain('role/ann');
  });

  it('insists on the second version of the metadata service, unless a flag says otherwise', async () => {
    const { config } = createWorld();
    expect((await config(...offline)).out).toContain('ec2_role_delivery');
    expect((await config(...offline, '--any-metadata-version')).out).not.toContain('ec2_role_delivery');
  });

  it.each([
    ['--node-role', 'etcd'],
    ['--node-role', `reader=${account}:role/x`],
    ['--person', `${account}:role/x`],
    ['--person', `ann,=${account}:role/x`],
    ['--issuer', `${issuer}/`],
    ['--issuer', 'http://a.tokens.sts.global.api.aws'],
  ])('refuses %s %s as a wrong command line', async (...flags) => {
    expect((await createWorld().config(...worker, ...flags)).code).toBe(2);
  });

  it('fails if a file cannot be read', async () => {
    for (const flag of ['--mapping', '--merge', '--certificate-authority'])
      expect(await createWorld().config(...offline, flag, 'x.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('x.yaml cannot be read'),
      });
  });
});
