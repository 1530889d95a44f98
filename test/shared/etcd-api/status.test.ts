import { describe, expect, it } from 'vitest';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import { endpointAt, header, scriptedGateway, withCode } from './support.ts';

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
