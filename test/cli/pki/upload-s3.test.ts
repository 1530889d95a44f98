import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { createFileBucket } from '../../../shared/aws/file-bucket.ts';
import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createBench } from './upload-bench.ts';

const Bucket = 'prod-keys';

async function benchWithBucket() {
  const bench = await createBench();
  bench.s3.operations.CreateBucket({ Bucket });
  const client = s3Client(bench.connection);
  const object = (path: string) => createFileBucket(client, { bucket: Bucket }).read(`pki/${path}`);
  const upload = (flags = '') => bench.run(`--cluster prod --s3 s3://${Bucket}/pki ${flags}`);
  const encryptionOf = async (Key: string) => {
    const { ServerSideEncryption, SSEKMSKeyId } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    return [ServerSideEncryption, SSEKMSKeyId];
  };
  return { ...bench, object, upload, encryptionOf };
}

describe('drover pki upload --s3', () => {
  it('puts each file into the bucket, and the credentials of etcd-membership into Parameter Store', async () => {
    const { upload, object, file, value, s3 } = await benchWithBucket();
    const { code, out } = await upload();
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/s3:\/\/prod-keys\/pki\/etcd\/server\.key +created\n/),
    ]);
    for (const path of ['ca.crt', 'ca.key', 'etcd/peer.key', 'sa.pub'])
      expect(await object(path)).toBe(file(path));
    expect(value('/drover/prod/pki/ca.crt')).toBeUndefined();
    expect(value('/drover/prod/etcd-client')).toContain(JSON.stringify(file('etcd/drover-client.key')));
    expect(s3.controls.keys(Bucket)).not.toContain('pki/etcd/ca.key');
  });

  it('encrypts with the named KMS key, or warns that no second right protects the keys', async () => {
    const { upload, encryptionOf } = await benchWithBucket();
    expect((await upload()).err).toMatch(/^warning: without --kms-key and --client-kms-key, .*default keys/);
    expect(await encryptionOf('pki/ca.key')).toEqual(['AES256', undefined]);
    const named = await benchWithBucket();
    expect((await named.upload('--kms-key alias/a')).err).toBe('');
    expect(await named.encryptionOf('pki/ca.key')).toEqual(['aws:kms', 'alias/a']);
  });

  it('replaces no object without --overwrite', async () => {
    const { upload, make, object, file } = await benchWithBucket();
    await upload();
    const before = await object('etcd/server.crt');
    await make('--renew --only etcd/server');
    expect(await upload()).toMatchObject({ code: 1, err: expect.stringContaining('give --overwrite') });
    expect(await object('etcd/server.crt')).toBe(before);
    const { out } = await upload('--overwrite');
    expect(out).toMatch(/etcd\/server\.crt +changed\n/);
    expect(out).toMatch(/pki\/ca\.crt +kept\n/);
    expect(await object('etcd/server.crt')).toBe(file('etcd/server.crt'));
  });

  it('says with --dry-run what it would do, and puts nothing there', async () => {
    const { upload, s3 } = await benchWithBucket();
    expect((await upload('--dry-run')).out).toMatch(/pki\/ca\.key +would create\n/);
    expect(s3.controls.keys(Bucket)).toEqual([]);
  });
});

describe('a bucket that would not protect private keys', () => {
  it.each(['', '--dry-run', '--overwrite'])(
    'gets none if it does not block public access %s',
    async (flag) => {
      const { upload, s3, value } = await benchWithBucket();
      s3.operations.DeletePublicAccessBlock({ Bucket });
      const refused = await upload(flag);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toMatch(
        /prod-keys does not block public access: run aws s3api put-public-access-block/,
      );
      expect([s3.controls.keys(Bucket), value('/drover/prod/etcd-client')]).toEqual([[], undefined]);
    },
  );

  it.each(['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'])(
    'gets none without %s',
    async (setting) => {
      const { upload, s3 } = await benchWithBucket();
      const all = {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      };
      s3.operations.PutPublicAccessBlock({
        Bucket,
        PublicAccessBlockConfiguration: { ...all, [setting]: false },
      });
      expect(await upload()).toMatchObject({ code: 1, err: expect.stringContaining('public access') });
    },
  );

  it('gets none without a default encryption, as an older S3 may answer', async () => {
    const { upload, s3 } = await benchWithBucket();
    s3.operations.PutBucketEncryption({ Bucket, ServerSideEncryptionConfiguration: { Rules: [] } });
    expect(await upload()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/prod-keys has no default encryption: run aws s3api put-bucket-encryption/),
    });
  });

  it('gets none if another account owns it', async () => {
    const { upload, s3 } = await benchWithBucket();
    expect(await upload('--bucket-owner 210987654321')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Access Denied'),
    });
    expect(s3.controls.keys(Bucket)).toEqual([]);
  });

  it.each([
    ['--s3 prod-keys/pki', 'write s3://BUCKET/PREFIX'],
    ['--s3 s3://prod-keys', 'write s3://BUCKET/PREFIX'],
    ['--s3 s3://prod-keys/pki/', 'write s3://BUCKET/PREFIX'],
    ["--s3 s3://prod-keys/p'ki", 'write s3://BUCKET/PREFIX'],
    ['--s3 s3://prod-keys/pki --parameter-prefix /pki', 'give --s3 or --parameter-prefix, not both'],
    ['--bucket-owner 123456789012', '--bucket-owner belongs to --s3'],
  ])('is refused with %s', async (flags, why) => {
    const { run } = await createBench();
    expect(await run(`--cluster prod ${flags}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(why),
    });
  });
});
