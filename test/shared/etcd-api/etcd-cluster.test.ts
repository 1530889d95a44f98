import { describe, expect, it } from 'vitest';
import type { EtcdError } from '../../../shared/etcd/cluster.ts';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import { endpointAt, header, scriptedGateway, testCredentials, withCode } from './support.ts';

const one = endpointAt('10.0.0.1');
const other = endpointAt('10.0.0.2');
const refused = withCode('ECONNREFUSED', 'connect ECONNREFUSED');
const list = {
  header,
  members: [{ ID: '18446744073709551615', name: 'a', peerURLs: ['p'], clientURLs: ['c'] }],
};
const isList = (url: string): boolean => url.endsWith('/v3/cluster/member/list');

const failureOf = async (call: Promise<unknown>): Promise<EtcdError> =>
  await call.then(
    () => expect.unreachable(),
    (error: unknown) => error as EtcdError,
  );

describe('the list of etcd members', () => {
  it('reads the members after a quorum read, with mutual TLS and a gRPC deadline', async () => {
    const { gateway, requests } = scriptedGateway(() => ({ status: 200, body: list }));
    const { clusterId, members } = await createEtcdCluster(gateway).members([one]);
    expect(clusterId).toBe('cdf818194e3a8c32');
    expect(members).toEqual([
      { id: '18446744073709551615', name: 'a', peerUrls: ['p'], clientUrls: ['c'], isLearner: false },
    ]);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/v3/kv/range',
      '/v3/cluster/member/list',
    ]);
    expect(requests[1]).toMatchObject({
      method: 'POST',
      body: '{"linearizable":true}',
      headers: { 'grpc-timeout': '3S' },
      timeoutMilliseconds: 5000,
      tls: { ...testCredentials, serverName: one.serverName },
    });
  });

  it('asks the next endpoint if one is silent, denies access, has no quorum, is a learner or is broken', async () => {
    const silences = [
      refused,
      withCode('CERT_HAS_EXPIRED', 'certificate has expired'),
      { status: 504, body: { code: 4, message: 'context deadline exceeded' } },
      { status: 400, body: { code: 9, message: 'etcdserver: rpc not supported for learner' } },
      { status: 503, body: { code: 14, message: 'etcdserver: rpc not supported for learner' } },
      { status: 429, body: { code: 8, message: 'etcdserver: too many requests' } },
      { status: 500, body: { code: 2, message: 'etcdserver: corrupt cluster' } },
      { status: 200, body: '<html>' },
    ];
    for (const silence of silences) {
      const { gateway } = scriptedGateway(({ url }) =>
        url.startsWith(one.url) ? silence : { status: 200, body: list },
      );
      const { members } = await createEtcdCluster(gateway).members([one, other]);
      expect(members).toHaveLength(1);
    }
  });

  it('asks no other endpoint once its signal is aborted', async () => {
    const controller = new AbortController();
    const { gateway, requests } = scriptedGateway(() => {
      controller.abort(new Error('the time is up'));
      return refused;
    });
    const cluster = createEtcdCluster({ ...gateway, signal: controller.signal });
    await expect(cluster.remove([one, other], '7')).rejects.toThrow('the time is up');
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['10.0.0.1:2379']);
    await expect(cluster.status(one)).rejects.toThrow('the time is up');
    expect(requests).toHaveLength(1);
  });

  it('fails if no endpoint answers, and names the reason of each', async () => {
    const { gateway } = scriptedGateway(() => refused);
    const failure = await failureOf(createEtcdCluster(gateway).members([one, other]));
    expect(failure).toMatchObject({ name: 'EtcdError', code: 'no-quorum' });
    expect(failure.message).toContain(one.url);
    expect(failure.message).toContain(other.url);
  });

  it('fails with denied only if every endpoint denies access', async () => {
    const denied = withCode('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'unknown ca');
    const all = createEtcdCluster(scriptedGateway(() => denied).gateway);
    expect((await failureOf(all.members([one, other]))).code).toBe('denied');
    const some = scriptedGateway(({ url }) => (url.startsWith(one.url) ? denied : refused));
    const failure = await failureOf(createEtcdCluster(some.gateway).members([one, other]));
    expect(failure.code).toBe('no-quorum');
  });

  it('fails without an endpoint', async () => {
    const { gateway } = scriptedGateway(() => refused);
    expect((await failureOf(createEtcdCluster(gateway).members([]))).code).toBe('no-quorum');
  });

  it.each([
    ['no JSON', '<html>'],
    ['no members', { header }],
    ['an id that JavaScript has rounded', { header, members: [{ ID: 1.8e19 }] }],
    ['an invalid cluster id', { header: { ...header, cluster_id: 'x' }, members: [] }],
  ])('refuses an answer with %s', async (_, body) => {
    const { gateway } = scriptedGateway(({ url }) => ({
      status: 200,
      body: isList(url) ? body : { header },
    }));
    expect((await failureOf(createEtcdCluster(gateway).members([one]))).code).toBe('other');
  });
});

describe('a change of membership', () => {
  it.each([
    ['404', 5, 'etcdserver: member not found', 'not-found'],
    ['503', 14, 'etcdserver: unhealthy cluster', 'unsafe'],
    ['500', 2, 'etcdserver: re-configuration failed due to not enough started members', 'unsafe'],
    ['400', 9, 'etcdserver: can only promote a learner member which is in sync with leader', 'not-in-sync'],
    ['400', 9, 'etcdserver: can only promote a learner member', 'other'],
    ['412', 9, 'etcdserver: too many learner members in cluster', 'learner-exists'],
    ['412', 9, 'etcdserver: Peer URLs already exists', 'peer-exists'],
    ['503', 14, 'etcdserver: request timed out', 'no-quorum'],
    ['504', 4, 'context deadline exceeded', 'no-quorum'],
    ['403', 7, 'etcdserver: permission denied', 'denied'],
    ['400', 3, 'proto: (line 1:7): invalid value for uint64 field ID', 'other'],
    ['418', 99, 'etcdserver: something new', 'other'],
  ])('reports a refusal with %s, %i, %s as %s', async (status, code, message, expected) => {
    const { gateway } = scriptedGateway(() => ({ status: Number(status), body: { code, message } }));
    const failure = await failureOf(createEtcdCluster(gateway).remove([one], '1'));
    expect(failure.code).toBe(expected);
    expect(failure.message).toContain(message);
  });

  it('asks no other endpoint after a refusal', async () => {
    const { gateway, requests } = scriptedGateway(() => ({
      status: 503,
      body: { code: 14, message: 'etcdserver: unhealthy cluster' },
    }));
    await failureOf(createEtcdCluster(gateway).remove([one, other], '1'));
    expect(requests).toHaveLength(1);
  });

  it('sends ids and peer URLs in the form of the gateway', async () => {
    const member = { ID: '7', peerURLs: ['p'], isLearner: true };
    const { gateway, requests } = scriptedGateway(() => ({
      status: 200,
      body: { header, member, members: [] },
    }));
    const etcd = createEtcdCluster(gateway);
    const added = await etcd.addLearner([one], ['p']);
    expect(added).toEqual({ id: '7', name: '', peerUrls: ['p'], clientUrls: [], isLearner: true });
    await etcd.addVoter([one], ['p']);
    await etcd.promote([one], '7');
    await etcd.remove([one], '7');
    expect(requests.map(({ url, body }) => [new URL(url).pathname, body])).toEqual([
      ['/v3/cluster/member/add', '{"peerURLs":["p"],"isLearner":true}'],
      ['/v3/cluster/member/add', '{"peerURLs":["p"]}'],
      ['/v3/cluster/member/promote', '{"ID":"7"}'],
      ['/v3/cluster/member/remove', '{"ID":"7"}'],
    ]);
  });

  it('fails without quoting the key or a body that is not from etcd', async () => {
    const { gateway } = scriptedGateway(() => ({ status: 500, body: 'an inner secret' }));
    const failure = await failureOf(createEtcdCluster(gateway).remove([one], '1'));
    expect(failure.message).not.toMatch(/private key|inner secret/);
  });
});

const endpoint = endpointAt('10.0.0.1');
const status = { header: { ...header, revision: '1042' }, version: '3.6.16', dbSize: '20480' };
const isHealth = (url: string): boolean => url.endsWith('/health?exclude=NOSPACE');
const timedOut = new Error('no answer within 5000 ms');

const statusOf = (answer: Parameters<typeof scriptedGateway>[0]) =>
  createEtcdCluster(scriptedGateway(answer).gateway).status(endpoint);

describe('the status of an endpoint', () => {
  it('contains what the endpoint reports', async () => {
    expect(await statusOf(() => ({ status: 200, body: status }))).toEqual({
      kind: 'answers',
      clusterId: 'cdf818194e3a8c32',
      memberId: '10276657743932975437',
      healthy: true,
      alarms: [],
      isLearner: false,
      version: '3.6.16',
      databaseBytes: 20480,
      revision: '1042',
    });
  });

  it('names the alarms of the cluster, whatever else is wrong', async () => {
    const errors = ['etcdserver: no leader', 'memberID:10276657743932975437 alarm:NOSPACE '];
    expect(await statusOf(() => ({ status: 200, body: { ...status, errors } }))).toMatchObject({
      alarms: [{ memberId: '10276657743932975437', name: 'NOSPACE' }],
    });
  });

  it('is unhealthy if /health says so or does not answer in time', async () => {
    for (const health of [{ status: 503, body: '{"health":"false"}' }, timedOut])
      expect(
        await statusOf(({ url }) => (isHealth(url) ? health : { status: 200, body: status })),
      ).toMatchObject({ kind: 'answers', healthy: false });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])(
    'is unreachable if the connection ends with %s',
    async (code) => {
      expect(await statusOf(() => withCode(code, 'no'))).toMatchObject({
        kind: 'silent',
        why: 'unreachable',
      });
    },
  );

  it('is unreachable if no answer arrives in time', async () => {
    expect(await statusOf(() => timedOut)).toMatchObject({ kind: 'silent', why: 'unreachable' });
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    'ERR_OSSL_PEM_NO_START_LINE',
  ])('blames the certificate if the connection ends with %s', async (code) => {
    expect(await statusOf(() => withCode(code, 'no'))).toMatchObject({ kind: 'silent', why: 'certificate' });
  });

  it('blames the certificate if etcd refuses its own gateway, and names the remedy', async () => {
    const message = 'connection error: desc = "transport: authentication handshake failed: remote error"';
    const answer = await statusOf(() => ({ status: 503, body: { code: 14, message } }));
    expect(answer).toMatchObject({ kind: 'silent', why: 'certificate' });
    expect(answer).toMatchObject({ message: expect.stringContaining('clientAuth') as string });
  });

  it('rejects if the credentials cannot be read', async () => {
    const { gateway } = scriptedGateway(() => ({ status: 200, body: status }));
    const credentials = () => Promise.reject(new Error('no such parameter'));
    await expect(createEtcdCluster({ ...gateway, credentials }).status(endpoint)).rejects.toThrow(
      'no such parameter',
    );
  });
});
