import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketEncryptionCommand,
  GetBucketVersioningCommand,
  GetObjectTaggingCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutBucketEncryptionCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { bucket, createS3Bench, s3Client } from './support.ts';

const Bucket = bucket;
const named = (name: string) => ({ name });

async function benchWith(...keys: readonly string[]) {
  const bench = createS3Bench();
  const client = s3Client(bench.clientOptions, { forcePathStyle: true });
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Key) }));
  return { ...bench, client };
}

describe('buckets of the simulated S3', () => {
  it('are listed by name, with their creation time', async () => {
    const { client, clock } = await benchWith();
    await client.send(new CreateBucketCommand({ Bucket: 'another' }));
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toEqual(['another', bucket]);
    expect(Buckets[0]?.CreationDate?.getTime()).toBe(clock.now());
  });

  it('exist or not, and can be deleted only if they are empty', async () => {
    const { client } = await benchWith('a');
    expect(await client.send(new HeadBucketCommand({ Bucket }))).toMatchObject({ BucketRegion: 'eu-west-1' });
    await expect(client.send(new HeadBucketCommand({ Bucket: 'none' }))).rejects.toMatchObject(
      named('NotFound'),
    );
    const remove = () => client.send(new DeleteBucketCommand({ Bucket }));
    await expect(remove()).rejects.toMatchObject(named('BucketNotEmpty'));
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a' }] } }));
    await remove();
    await expect(remove()).rejects.toMatchObject(named('NoSuchBucket'));
  });

  it('can lose many objects in one call, including missing ones', async () => {
    const { client, s3 } = await benchWith('a', 'b', 'c');
    const Objects = [{ Key: 'a' }, { Key: 'none' }];
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted).toEqual(Objects);
    expect(s3.controls.keys(bucket)).toEqual(['b', 'c']);
    const quiet = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'b' }], Quiet: true } }),
    );
    expect(quiet.Deleted).toBeUndefined();
  });

  it('are encrypted and not public from the beginning, and what protects them can be changed', async () => {
    const { client } = await benchWith();
    const encryption = () => client.send(new GetBucketEncryptionCommand({ Bucket }));
    const block = () => client.send(new GetPublicAccessBlockCommand({ Bucket }));
    const rule = (await encryption()).ServerSideEncryptionConfiguration?.Rules?.[0];
    expect(rule?.ApplyServerSideEncryptionByDefault).toEqual({ SSEAlgorithm: 'AES256' });
    expect((await block()).PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: true,
      RestrictPublicBuckets: true,
    });
    const changed = { SSEAlgorithm: 'aws:kms' as const, KMSMasterKeyID: 'alias/a' };
    await client.send(
      new PutBucketEncryptionCommand({
        Bucket,
        ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: changed }] },
      }),
    );
    expect((await encryption()).ServerSideEncryptionConfiguration?.Rules).toMatchObject([
      { ApplyServerSideEncryptionByDefault: changed },
    ]);
    await client.send(
      new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: { BlockPublicAcls: true } }),
    );
    expect((await block()).PublicAccessBlockConfiguration).toEqual({ BlockPublicAcls: true });
    await client.send(new DeletePublicAccessBlockCommand({ Bucket }));
    await expect(block()).rejects.toMatchObject(named('NoSuchPublicAccessBlockConfiguration'));
  });

  it('name a call that the sandbox does not support', async () => {
    const { client } = await benchWith('a');
    const versioning = client.send(new GetBucketVersioningCommand({ Bucket }));
    await expect(versioning).rejects.toThrow(/This sandbox does not do s3:GET /);
    const tagging = client.send(new GetObjectTaggingCommand({ Bucket, Key: 'a' }));
    await expect(tagging).rejects.toMatchObject(named('NotImplemented'));
  });
});

describe('ListObjects version 1', () => {
  it('continues after the given name, as boto3 does', async () => {
    const { client } = await benchWith('a', 'b/1', 'b/2', 'c');
    const list = (terms: object) => client.send(new ListObjectsCommand({ Bucket, MaxKeys: 2, ...terms }));
    const first = await list({});
    expect(first).toMatchObject({ IsTruncated: true, Contents: [{ Key: 'a' }, { Key: 'b/1' }] });
    expect(first.NextMarker).toBeUndefined();
    expect(await list({ Marker: 'b/1' })).toMatchObject({
      IsTruncated: false,
      Contents: [{ Key: 'b/2' }, { Key: 'c' }],
    });
    const directories = await list({ Delimiter: '/' });
    expect(directories).toMatchObject({ NextMarker: 'b/', CommonPrefixes: [{ Prefix: 'b/' }] });
    expect(await list({ Delimiter: '/', Marker: 'b/' })).toMatchObject({ Contents: [{ Key: 'c' }] });
  });
});

describe('a list with a delimiter', () => {
  const keys = ['a', 'b/1', 'b/2', 'b/c/3', 'd/4', 'e'];
  const shown = (answer: {
    Contents?: readonly { Key?: string }[];
    CommonPrefixes?: readonly { Prefix?: string }[];
  }) => [
    answer.Contents?.map(({ Key }) => Key) ?? [],
    answer.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [],
  ];

  it('shows each common prefix once', async () => {
    const { client } = await benchWith(...keys);
    const list = (Prefix?: string) =>
      client.send(new ListObjectsV2Command({ Bucket, Delimiter: '/', Prefix }));
    expect(shown(await list())).toEqual([
      ['a', 'e'],
      ['b/', 'd/'],
    ]);
    expect(shown(await list('b/'))).toEqual([['b/1', 'b/2'], ['b/c/']]);
  });

  it('counts a common prefix as one entry of a page, and returns none twice', async () => {
    const { client } = await benchWith(...keys);
    const pages: unknown[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Delimiter: '/', MaxKeys: 2, ContinuationToken }),
      );
      pages.push(shown(page));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(pages).toEqual([
      [['a'], ['b/']],
      [['e'], ['d/']],
    ]);
  });
});
