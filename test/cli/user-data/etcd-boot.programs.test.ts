import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatHostMark } from '../../../shared/etcd/mark.ts';
import { encodeMemberState } from '../../../shared/etcd/member-state.ts';
import { createInstance, domain, instanceId } from './fake-instance.ts';

const pem = (what: string) => `-----BEGIN ${what}-----\nQQ==\n-----END ${what}-----`;
const parameter = `/drover/prod/etcd/members/${instanceId}`;
const files = ['ca.crt', 'server.crt', 'server.key', 'peer.crt', 'peer.key'];

const stateOf = (changes: object = {}): string =>
  encodeMemberState({
    version: 1,
    state: 'new',
    name: instanceId,
    domain,
    peerUrl: `https://${instanceId}.${domain}:2380`,
    clientUrl: `https://${instanceId}.${domain}:2379`,
    discoverySrv: domain,
    discoverySrvName: '',
    initialClusterToken: '',
    ...changes,
  });

type Instance = ReturnType<typeof createInstance>;

function withCertificates(instance: Instance): Instance {
  for (const file of files) instance.publish(`/drover/prod/pki/etcd/${file}`, pem(file));
  return instance;
}

describe('the boot script of a new member', () => {
  it('signs its requests itself on an image without the AWS CLI', async () => {
    const instance = withCertificates(createInstance());
    rmSync(instance.at('bin/aws'));
    instance.publish(parameter, stateOf());
    instance.write('metadata/services/domain', 'amazonaws.com');
    const { flags } = await instance.boot();
    expect(flags).toContain('--initial-cluster-state=new');
    const calls = instance.read('curl-calls') ?? '';
    expect(calls).toContain('--aws-sigv4 aws:amz:eu-west-1:ssm');
    expect(calls).not.toContain('the-secret');
  });

  it.each(['with', 'without'])('fetches its certificates from S3 %s the AWS CLI', async (how) => {
    const instance = createInstance(' --s3 s3://prod-keys/pki');
    if (how === 'without') rmSync(instance.at('bin/aws'));
    for (const file of files) instance.write(`objects/prod-keys/pki/etcd/${file}`, pem(file));
    instance.publish(parameter, stateOf());
    instance.write('metadata/services/domain', 'amazonaws.com');
    const { flags } = await instance.boot();
    expect(flags).toContain('--initial-cluster-state=new');
    for (const file of files) expect(instance.read(`var/lib/drover-etcd/pki/${file}`)).toBe(pem(file));
    const calls = instance.read(how === 'with' ? 'aws-calls' : 'curl-calls') ?? '';
    expect(calls).toContain(
      how === 'with'
        ? 's3 cp --region eu-west-1 --only-show-errors s3://prod-keys/pki/etcd/peer.key -'
        : 'https://s3.eu-west-1.amazonaws.com/prod-keys/pki/etcd/peer.key',
    );
  });

  it('uses its last certificates if S3 does not answer, and says so', async () => {
    const instance = createInstance(' --s3 s3://prod-keys/pki');
    for (const file of files) instance.write(`var/lib/drover-etcd/pki/${file}`, pem(file));
    instance.publish(parameter, stateOf());
    const { flags, log } = await instance.boot();
    expect(flags).toContain('--initial-cluster-state=new');
    expect(log).toContain('s3://prod-keys/pki/etcd/ca.crt cannot be read, the last one is used');
  });

  it('waits for its state from Drover, and starts with it', async () => {
    const instance = withCertificates(createInstance());
    instance.onSleep(
      3,
      `mkdir -p "$FAKE/parameters${parameter}"; rmdir "$FAKE/parameters${parameter}"; echo '${stateOf()}' >"$FAKE/parameters${parameter}"`,
    );
    const { flags, log, sleeps } = await instance.boot();
    expect(sleeps).toBe(3);
    expect(log).toContain(`waiting for the state of ${instanceId}`);
    expect(log).toContain('ParameterNotFound');
    const data = instance.at('var/lib/etcd');
    const pki = instance.at('var/lib/drover-etcd/pki');
    expect(flags).toEqual([
      `--name=${instanceId}`,
      `--data-dir=${data}`,
      '--listen-peer-urls=https://0.0.0.0:2380',
      '--listen-client-urls=https://0.0.0.0:2379',
      `--initial-advertise-peer-urls=https://${instanceId}.${domain}:2380`,
      `--advertise-client-urls=https://${instanceId}.${domain}:2379`,
      `--cert-file=${pki}/server.crt`,
      `--key-file=${pki}/server.key`,
      `--trusted-ca-file=${pki}/ca.crt`,
      '--client-cert-auth',
      `--peer-cert-file=${pki}/peer.crt`,
      `--peer-key-file=${pki}/peer.key`,
      `--peer-trusted-ca-file=${pki}/ca.crt`,
      '--peer-client-cert-auth',
      '--peer-cert-allowed-cn=etcd-peer',
      '--peer-skip-client-san-verification',
      '--initial-cluster-state=new',
      `--discovery-srv=${domain}`,
    ]);
  });

  it('joins an existing cluster, with the suffix of its services', async () => {
    const instance = withCertificates(createInstance(' --discovery-srv-name blue'));
    instance.publish(parameter, stateOf({ state: 'existing', discoverySrvName: 'blue' }));
    expect((await instance.boot()).flags?.slice(-3)).toEqual([
      '--initial-cluster-state=existing',
      `--discovery-srv=${domain}`,
      '--discovery-srv-name=blue',
    ]);
  });

  it('starts with the token of its birth', async () => {
    const instance = withCertificates(createInstance());
    instance.publish(parameter, stateOf({ initialClusterToken: 'drover-20261121T200544Z' }));
    expect((await instance.boot()).flags?.slice(-3)).toEqual([
      '--initial-cluster-state=new',
      `--discovery-srv=${domain}`,
      '--initial-cluster-token=drover-20261121T200544Z',
    ]);
  });

  it('waits for the instance metadata service, and reads it with a token', async () => {
    const instance = withCertificates(createInstance());
    instance.publish(parameter, stateOf());
    instance.write('no-metadata', '');
    instance.onSleep(2, 'rm "$FAKE/no-metadata"');
    const { flags, sleeps } = await instance.boot();
    expect([sleeps, flags?.[0]]).toEqual([2, `--name=${instanceId}`]);
    expect(instance.read('curl-calls')).toMatch(/--request PUT .*ttl-seconds.*\/latest\/api\/token\n/);
    expect(instance.read('aws-calls')).toContain('--region eu-west-1');
  });

  it.each([
    ['nothing', undefined, 'ParameterNotFound'],
    ['invalid JSON', 'state=new', 'content'],
    ['a state of a later version', stateOf().replace('"version":1', '"version":12'), 'content'],
    ['an unknown state', stateOf().replace('"new"', '"newer"'), "the state 'newer'"],
    [
      'the state of another instance',
      stateOf({ name: 'i-0123456789abcdef1' }),
      "the name 'i-0123456789abcdef1'",
    ],
    [
      'the state of another domain',
      stateOf({ discoverySrv: 'other.internal' }),
      "the domain 'other.internal'",
    ],
    ['another service name', stateOf({ discoverySrvName: 'blue' }), "the service name 'blue'"],
    ['a peer URL without TLS', stateOf({ peerUrl: `http://${instanceId}.${domain}:2380` }), 'the peer URL'],
  ])('never starts with %s', async (_, text, why) => {
    const instance = withCertificates(createInstance());
    if (text !== undefined) instance.publish(parameter, text);
    const { flags, log, sleeps } = await instance.boot();
    expect([flags, sleeps]).toEqual([undefined, 4]);
    expect(log).toContain(why);
  });

  it('logs once a minute what it waits for', async () => {
    const { log } = await withCertificates(createInstance()).boot(25);
    expect(log.match(/waiting for/g)).toHaveLength(3);
  });

  it('waits for the certificates, and writes keys that only its user can read', async () => {
    const instance = createInstance();
    instance.publish(parameter, stateOf());
    expect(await instance.boot()).toMatchObject({
      flags: undefined,
      log: expect.stringContaining('waiting for the certificates'),
    });
    withCertificates(instance);
    expect((await instance.boot()).flags).toContain(
      `--peer-key-file=${instance.at('var/lib/drover-etcd/pki/peer.key')}`,
    );
    for (const file of files) {
      const path = `var/lib/drover-etcd/pki/${file}`;
      expect(instance.read(path)).toBe(pem(file));
      expect(statSync(instance.at(path)).mode & 0o077).toBe(0);
    }
  });

  it('refuses a certificate that is not PEM', async () => {
    const instance = withCertificates(createInstance());
    instance.publish(parameter, stateOf());
    instance.publish('/drover/prod/pki/etcd/peer.crt', 'None');
    expect((await instance.boot()).flags).toBeUndefined();
  });

  it.each(['3.4.23', '3.5.21'])(
    'passes etcd %s the flag that skips the check of addresses',
    async (version) => {
      const instance = withCertificates(createInstance());
      instance.publish(parameter, stateOf());
      instance.write('etcd-version', version);
      const { flags } = await instance.boot();
      expect(flags).toContain('--experimental-peer-skip-client-san-verification');
      expect(flags).not.toContain('--peer-skip-client-san-verification');
    },
  );

  it('uses the certificates of the image and another address with --certificates and --listen', async () => {
    const instance = createInstance(
      ' --certificates /etc/pki --listen :: --peer-cn members --data-dir /var/lib/data/etcd',
    );
    instance.publish(parameter, stateOf());
    const { flags } = await instance.boot();
    expect(flags).toEqual(
      expect.arrayContaining([
        '--peer-key-file=/etc/pki/peer.key',
        '--listen-peer-urls=https://[::]:2380',
        '--peer-cert-allowed-cn=members',
        `--data-dir=${instance.at('var/lib/data/etcd')}`,
      ]),
    );
  });

  it('starts etcd without TLS with --no-tls', async () => {
    const instance = createInstance(' --no-tls');
    const http = {
      peerUrl: `http://${instanceId}.${domain}:2380`,
      clientUrl: `http://${instanceId}.${domain}:2379`,
    };
    instance.publish(parameter, stateOf(http));
    const { flags = [] } = await instance.boot();
    expect(flags).toContain('--listen-client-urls=http://0.0.0.0:2379');
    expect(flags.filter((flag) => /cert|key/.test(flag))).toEqual([]);
  });
});

describe('the boot script of a member with data', () => {
  const withData = () => {
    const instance = withCertificates(createInstance());
    instance.write('var/lib/etcd/member/wal/0000000000000000-0000000000000000.wal', 'x');
    return instance;
  };

  it('starts with its stored certificates if Parameter Store does not answer', async () => {
    const instance = withData();
    await instance.boot();
    for (const file of files) instance.publish(`/drover/prod/pki/etcd/${file}`, '');
    const { flags, log, sleeps } = await instance.boot();
    expect(sleeps).toBe(0);
    expect(flags).toContain(`--name=${instanceId}`);
    expect(flags?.filter((flag) => /discovery|cluster-state/.test(flag))).toEqual([]);
    expect(log).toContain('peer.key cannot be read, the last one is used');
    expect(instance.read('var/lib/drover-etcd/pki/peer.key')).toBe(pem('peer.key'));
  });

  it('installs renewed certificates', async () => {
    const instance = withData();
    await instance.boot();
    instance.publish('/drover/prod/pki/etcd/peer.crt', pem('renewed'));
    await instance.boot();
    expect(instance.read('var/lib/drover-etcd/pki/peer.crt')).toBe(pem('renewed'));
  });

  it('treats a data directory without a write-ahead log as empty', async () => {
    const instance = withCertificates(createInstance());
    instance.write('var/lib/etcd/member/snap/db', 'x');
    expect((await instance.boot()).flags).toBeUndefined();
  });
});

describe('the boot script of a member that reads DNS', () => {
  const mark = (changes: object = {}): string =>
    `"${formatHostMark({ clusterName: 'prod', instanceId, state: 'existing', ...changes })}"\n`;
  const instanceWith = (text: string | undefined) => {
    const instance = createInstance(' --source dns --certificates /etc/pki');
    if (text !== undefined) instance.write('txt', text);
    return instance;
  };

  it.each([{}, { trouble: { kind: 'missing', since: 1_700_000_000 } as const }])(
    'starts as the mark of its host requires: %j',
    async (changes) => {
      const instance = instanceWith(mark(changes));
      const { flags } = await instance.boot();
      expect(flags).toContain('--initial-cluster-state=existing');
      expect(instance.read('dig-calls')).toContain(`TXT ${instanceId}.${domain}`);
      expect(instance.read('aws-calls')).toBeUndefined();
    },
  );

  it('starts with the token of its birth', async () => {
    const { flags } = await instanceWith(mark({ state: 'new', token: 'drover-20261121T200544Z' })).boot();
    expect(flags).toContain('--initial-cluster-token=drover-20261121T200544Z');
    const joining = await instanceWith(mark()).boot();
    expect(joining.flags?.filter((flag) => flag.includes('token'))).toEqual([]);
  });

  it.each([
    ['no mark', undefined],
    ['a record of another tool', '"state=new"\n'],
    ['the mark of another cluster', mark({ clusterName: 'test' })],
    ['the mark of another instance', mark({ instanceId: 'i-0123456789abcdef1' })],
    ['a mark without a state', mark().replace('existing', '')],
  ])('never starts with %s', async (_, text) => {
    expect((await instanceWith(text).boot()).flags).toBeUndefined();
  });
});
