import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presignWithExpiry } from '../../../../shared/aws/caller-identity.ts';
import { iamTokenMaker } from '../../../../shared/kubernetes/kubeconfig/connect.ts';

const signedAt = Date.parse('2026-11-21T07:15:09Z');

const connection = {
  region: 'eu-west-1',
  clock: { now: () => signedAt },
  credentials: () => ({
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secretEXAMPLE',
    sessionToken: 'tok/en+x==',
  }),
};

const make = iamTokenMaker({
  clock: connection.clock,
  presign: (request) => presignWithExpiry(connection, request),
});

const urlIn = (token = ''): URL =>
  new URL(Buffer.from(token.replace('k8s-aws-v1.', ''), 'base64url').toString());

describe('an IAM token', () => {
  it('equals the token of aws eks get-token at the same time with the same keys', async () => {
    const { token } = await make({ clusterId: 'drover' });
    const url = urlIn(token);
    // From AWS CLI 1, run beside this at 07:15:09.
    expect(url.searchParams.get('X-Amz-Signature')).toBe(
      '0ae4a217101a6c90db1055741bcb858907f247aff904536b1dd3bc8c9afd744a',
    );
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host;x-k8s-aws-id');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
  });

  it('is unpadded base64url and valid for 14 minutes', async () => {
    const { token, expiresAt } = await make({ clusterId: 'drover' });
    expect(token).toMatch(/^k8s-aws-v1\.[\w-]+$/);
    expect(expiresAt).toBe(signedAt + 14 * 60_000);
  });

  it('expires with the credentials that signed it, or after 14 minutes, whichever is first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -60, max: 3600 }), async (secondsLeft) => {
        const expiration = new Date(signedAt + secondsLeft * 1000);
        const keys = { ...connection.credentials(), expiration };
        const ofSession = iamTokenMaker({
          clock: connection.clock,
          presign: (request) => presignWithExpiry({ ...connection, credentials: () => keys }, request),
        });
        const { expiresAt = 0 } = await ofSession({ clusterId: 'drover' });
        expect(expiresAt - signedAt).toBe(Math.min(secondsLeft, 14 * 60) * 1000);
      }),
    );
  });

  it.each([
    ['us-east-1', 'sts.us-east-1.amazonaws.com'],
    ['cn-north-1', 'sts.cn-north-1.amazonaws.com.cn'],
    ['us-gov-west-1', 'sts.us-gov-west-1.amazonaws.com'],
    ['us-iso-east-1', 'sts.us-iso-east-1.c2s.ic.gov'],
    ['us-isob-east-1', 'sts.us-isob-east-1.sc2s.sgov.gov'],
  ])('of region %s asks %s', async (region, host) => {
    const { token } = await make({ clusterId: 'drover', region });
    expect(urlIn(token).host).toBe(host);
  });
});
