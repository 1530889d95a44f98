import { describe, expect, it } from 'vitest';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import { endpointAt, header, scriptedGateway, withCode } from './support.ts';

const endpoint = endpointAt('10.0.0.1');
const status = { header, version: '3.6.16', dbSize: '20480' };
const isHealth = (url: string): boolean => url.endsWith('/health');
const timedOut = new Error('no answer within 5000 ms');

const statusOf = (answer: Parameters<typeof scriptedGateway>[0]) =>
  createEtcdCluster(scriptedGateway(answer).gateway).status(endpoint);

describe('the status of an endpoint', () => {
  it('is what it says of itself', async () => {
    expect(await statusOf(() => ({ status: 200, body: status }))).toEqual({
      kind: 'answers',
      clusterId: 'cdf818194e3a8c32',
      memberId: '10276657743932975437',
      healthy: true,
      isLearner: false,
      version: '3.6.16',
      databaseBytes: 20480,
    });
  });

  it('is unhealthy where /health says so, or nothing in time', async () => {
    for (const health of [{ status: 503, body: '{"health":"false"}' }, timedOut])
      expect(
        await statusOf(({ url }) => (isHealth(url) ? health : { status: 200, body: status })),
      ).toMatchObject({ kind: 'answers', healthy: false });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])(
    'is unreachable where the connection ends with %s',
    async (code) => {
      expect(await statusOf(() => withCode(code, 'no'))).toMatchObject({
        kind: 'silent',
        why: 'unreachable',
      });
    },
  );

  it('is unreachable where nothing comes in time', async () => {
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
  ])('is a matter of certificates where the connection ends with %s', async (code) => {
    expect(await statusOf(() => withCode(code, 'no'))).toMatchObject({ kind: 'silent', why: 'certificate' });
  });

  it('is one too where the gateway is not believed by its own server, and says what helps', async () => {
    const message = 'connection error: desc = "transport: authentication handshake failed: remote error"';
    const answer = await statusOf(() => ({ status: 503, body: { code: 14, message } }));
    expect(answer).toMatchObject({ kind: 'silent', why: 'certificate' });
    expect(answer).toMatchObject({ message: expect.stringContaining('clientAuth') as string });
  });

  it('rejects for credentials that cannot be had', async () => {
    const { gateway } = scriptedGateway(() => ({ status: 200, body: status }));
    const credentials = () => Promise.reject(new Error('no such parameter'));
    await expect(createEtcdCluster({ ...gateway, credentials }).status(endpoint)).rejects.toThrow(
      'no such parameter',
    );
  });
});
