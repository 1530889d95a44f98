import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { bucket, createS3Bench, s3Client } from './support.ts';

const Bucket = bucket;
const megabytes = (count: number, byte = 1) => new Uint8Array(count * 1024 * 1024).fill(byte);
const hashOf = (body: Uint8Array) => createHash('sha256').update(body).digest('base64');
const named = (name: string) => ({ name });

/** The SDK's own client against the simulation. */
function createBench(options: object = {}) {
  const bench = createS3Bench();
  const client = s3Client(bench.clientOptions, options);
  const start = async (Key: string, terms: object = {}) =>
    (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...terms }))).UploadId ?? '';
  const upload = (Key: string, UploadId: string, PartNumber: number, Body: Uint8Array) =>
    client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  const complete = (Key: string, UploadId: string, Parts: readonly object[]) =>
    client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: [...Parts] } }),
    );
  return { ...bench, client, start, upload, complete };
}

describe('the simulated S3, through the SDK', () => {
  it.each([{}, { forcePathStyle: true }])('keeps an object with its metadata: %j', async (options) => {
    const { client, clock } = createBench(options);
    const Key = 'a b/ü+:%.db';
    const Body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await client.send(
      new PutObjectCommand({ Bucket, Key, Body, Metadata: { one: '1' }, ContentType: 'x/y' }),
    );
    const answer = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await answer.Body?.transformToByteArray()).toEqual(Body);
    expect(answer).toMatchObject({ Metadata: { one: '1' }, ContentType: 'x/y', ContentLength: 256 });
    expect(answer.LastModified?.getTime()).toBe(Math.floor(clock.now() / 1000) * 1000);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({ ContentLength: 256, ETag: answer.ETag, Metadata: { one: '1' } });
  });

  it('returns a range of an object only while its ETag matches', async () => {
    const { client } = createBench();
    const put = () =>
      client.send(new PutObjectCommand({ Bucket, Key: 'k', Body: Buffer.from('0123456789') }));
    const { ETag } = await put();
    const get = (terms: object) => client.send(new GetObjectCommand({ Bucket, Key: 'k', ...terms }));
    const part = await get({ Range: 'bytes=2-4', IfMatch: ETag });
    expect(await part.Body?.transformToString()).toBe('234');
    expect(part).toMatchObject({ ContentRange: 'bytes 2-4/10', $metadata: { httpStatusCode: 206 } });
    expect(await (await get({ Range: 'bytes=8-99' })).Body?.transformToString()).toBe('89');
    await expect(get({ Range: 'bytes=10-11' })).rejects.toMatchObject(named('InvalidRange'));
    await expect(get({ IfMatch: '"other"' })).rejects.toMatchObject(named('PreconditionFailed'));
  });

  it('assembles an object from its parts, with both kinds of checksum', async () => {
    const { client, start, upload, complete, s3 } = createBench({
      requestChecksumCalculation: 'WHEN_SUPPORTED',
    });
    const UploadId = await start('k', { ChecksumAlgorithm: 'SHA256', Metadata: { a: 'b' } });
    const bodies = [megabytes(5, 1), megabytes(5, 2), megabytes(1, 3)];
    const parts = [];
    for (const [index, Body] of bodies.entries()) {
      const PartNumber = index + 1;
      const command = new UploadPartCommand({
        Bucket,
        Key: 'k',
        UploadId,
        PartNumber,
        Body,
        ChecksumSHA256: hashOf(Body),
      });
      const { ETag, ChecksumSHA256 } = await client.send(command);
      parts.push({ ETag, ChecksumSHA256, PartNumber });
    }
    expect(s3.controls.keys(Bucket)).toEqual([]);
    expect((await complete('k', UploadId, parts)).ETag).toMatch(/^"[0-9a-f]{32}-3"$/);
    const composite = hashOf(Buffer.concat(bodies.map((body) => Buffer.from(hashOf(body), 'base64'))));
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({
      ContentLength: 11 * 1024 * 1024,
      Metadata: { a: 'b' },
      ChecksumSHA256: `${composite}-3`,
    });
    expect(s3.controls.openUploads(Bucket)).toBe(0);
    await expect(upload('k', UploadId, 4, megabytes(1))).rejects.toMatchObject(named('NoSuchUpload'));
  });

  it('refuses parts in the wrong order, unknown parts, small parts, and an empty list', async () => {
    const { start, upload, complete } = createBench();
    const UploadId = await start('k');
    const [one, two, small] = [
      { PartNumber: 1, ETag: (await upload('k', UploadId, 1, megabytes(5))).ETag },
      { PartNumber: 2, ETag: (await upload('k', UploadId, 2, megabytes(5, 2))).ETag },
      { PartNumber: 3, ETag: (await upload('k', UploadId, 3, megabytes(1))).ETag },
    ];
    await expect(complete('k', UploadId, [two, one])).rejects.toMatchObject(named('InvalidPartOrder'));
    await expect(complete('k', UploadId, [one, one])).rejects.toMatchObject(named('InvalidPartOrder'));
    await expect(complete('k', UploadId, [{ ...one, ETag: two.ETag }])).rejects.toMatchObject(
      named('InvalidPart'),
    );
    await expect(complete('k', UploadId, [one, { ...small, PartNumber: 9 }])).rejects.toMatchObject(
      named('InvalidPart'),
    );
    const four = { PartNumber: 4, ETag: (await upload('k', UploadId, 4, megabytes(1))).ETag };
    await expect(complete('k', UploadId, [small, four])).rejects.toMatchObject(named('EntityTooSmall'));
    await expect(complete('k', UploadId, [])).rejects.toMatchObject(named('MalformedXML'));
    await expect(complete('k', UploadId, [one, two, small])).resolves.toBeDefined();
  });

  it.each([0, 10_001])('refuses the part number %d', async (number) => {
    const { start, upload } = createBench();
    await expect(upload('k', await start('k'), number, megabytes(1))).rejects.toMatchObject({
      message: expect.stringContaining('between 1 and 10000'),
    });
  });

  it('refuses a part with a wrong hash, or without the announced hash', async () => {
    const { client, start, upload } = createBench();
    const UploadId = await start('k', { ChecksumAlgorithm: 'SHA256' });
    const wrong = new UploadPartCommand({
      Bucket,
      Key: 'k',
      UploadId,
      PartNumber: 1,
      Body: megabytes(1),
      ChecksumSHA256: hashOf(megabytes(2)),
    });
    await expect(client.send(wrong)).rejects.toMatchObject(named('BadDigest'));
    await expect(upload('k', UploadId, 1, megabytes(1))).rejects.toMatchObject(named('InvalidRequest'));
  });

  it('drops an aborted upload', async () => {
    const { client, start, upload, s3 } = createBench();
    const UploadId = await start('k');
    await upload('k', UploadId, 1, megabytes(1));
    const abort = () => client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'k', UploadId }));
    await abort();
    expect(s3.controls.openUploads(Bucket)).toBe(0);
    await expect(abort()).rejects.toMatchObject(named('NoSuchUpload'));
  });

  it('lists the keys with a prefix in order, page by page', async () => {
    const { client } = createBench();
    for (const Key of ['b/2', 'a/1', 'b/1', 'b/3', 'c'])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Key) }));
    const list = (terms: object) => client.send(new ListObjectsV2Command({ Bucket, Prefix: 'b/', ...terms }));
    const first = await list({ MaxKeys: 2 });
    expect(first.Contents?.map(({ Key }) => Key)).toEqual(['b/1', 'b/2']);
    const { NextContinuationToken: ContinuationToken } = first;
    const second = await list({ MaxKeys: 2, ContinuationToken });
    expect(second).toMatchObject({ IsTruncated: false, KeyCount: 1, Contents: [{ Key: 'b/3', Size: 3 }] });
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'b/3' }));
    expect((await list({})).KeyCount).toBe(2);
  });

  it('names a missing bucket, key or upload', async () => {
    const { client } = createBench();
    const get = (terms: object) => client.send(new GetObjectCommand({ Bucket, Key: 'none', ...terms }));
    await expect(get({})).rejects.toMatchObject(named('NoSuchKey'));
    await expect(get({ Bucket: 'missing' })).rejects.toMatchObject(named('NoSuchBucket'));
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'none' }))).rejects.toMatchObject(
      named('NotFound'),
    );
    const create = (name: string) => client.send(new CreateBucketCommand({ Bucket: name }));
    await expect(create(Bucket)).rejects.toMatchObject(named('BucketAlreadyOwnedByYou'));
    await expect(create('No_Bucket')).rejects.toMatchObject(named('InvalidBucketName'));
  });

  it('refuses a request that is signed with another key', async () => {
    const { client } = createBench({ credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'wrong' } });
    await expect(client.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(
      named('SignatureDoesNotMatch'),
    );
  });
});
