import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';

/** An S3, by the client of the SDK. */
export interface S3World {
  readonly client: S3Client;
}

const megabyte = 1024 * 1024;
const bytes = (length: number, byte = 7): Buffer => Buffer.alloc(length, byte);
const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64');

let buckets = 0;

async function createBucket({ client }: S3World): Promise<string> {
  buckets += 1;
  const Bucket = `drover-contract-${buckets}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

type UploadSettings = Partial<CreateMultipartUploadCommandInput>;

/** An upload with parts of these contents. */
async function uploaded(world: S3World, contents: readonly Uint8Array[], settings: UploadSettings = {}) {
  const Bucket = await createBucket(world);
  const at = { Bucket, Key: settings.Key ?? 'k' };
  const { UploadId } = await world.client.send(new CreateMultipartUploadCommand({ ...settings, ...at }));
  const { ChecksumAlgorithm } = settings;
  const parts: CompletedPart[] = [];
  for (const [index, Body] of contents.entries()) {
    const PartNumber = index + 1;
    const input = { ...at, UploadId, PartNumber, Body, ChecksumAlgorithm };
    const { ETag, ChecksumSHA256 } = await world.client.send(new UploadPartCommand(input));
    parts.push({ PartNumber, ETag, ChecksumSHA256 });
  }
  const complete = (Parts: readonly CompletedPart[]) =>
    world.client.send(
      new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: [...Parts] } }),
    );
  return { at, parts, complete, uploadId: UploadId };
}

const named = (name: string) => ({ name });

/** What every S3 does, by its API reference; a sentence and what shows it. */
export const s3Cases: Cases<S3World> = {
  'a multipart object is read back unchanged, with its metadata': async (world) => {
    const Key = 'drover/a b/2026-11-21T20:05:44.123Z-7.db';
    const contents = [bytes(8 * megabyte), bytes(megabyte + 1, 9)];
    const { at, parts, complete } = await uploaded(world, contents, { Key, Metadata: { member: 'm' } });
    await complete(parts);
    const { Body, Metadata } = await world.client.send(new GetObjectCommand(at));
    expect(Buffer.concat(contents).equals((await Body?.transformToByteArray()) ?? bytes(0))).toBe(true);
    expect(Metadata).toMatchObject({ member: 'm' });
    const listed = async () =>
      (
        await world.client.send(new ListObjectsV2Command({ Bucket: at.Bucket, Prefix: 'drover/' }))
      ).Contents?.map((object) => [object.Key, object.Size]);
    expect(await listed()).toEqual([[Key, 9 * megabyte + 1]]);
    await world.client.send(new DeleteObjectCommand(at));
    expect(await listed()).toBeUndefined();
  },

  'an aborted upload leaves no object': async (world) => {
    const { at, uploadId } = await uploaded(world, [bytes(5 * megabyte), bytes(9)]);
    await world.client.send(new AbortMultipartUploadCommand({ ...at, UploadId: uploadId }));
    const list = new ListObjectsV2Command({ Bucket: at.Bucket });
    expect((await world.client.send(list)).Contents).toBeUndefined();
  },

  'the checksum of a multipart object is the hash of the part hashes': async (world) => {
    const contents = [bytes(8 * megabyte), bytes(5, 9)];
    const { at, parts, complete } = await uploaded(world, contents, { ChecksumAlgorithm: 'SHA256' });
    await complete(parts);
    const command = new HeadObjectCommand({ ...at, ChecksumMode: 'ENABLED' });
    const composite = hashOf(Buffer.concat(contents.map((part) => Buffer.from(hashOf(part), 'base64'))));
    expect((await world.client.send(command)).ChecksumSHA256).toBe(`${composite}-2`);
  },

  'a part with a wrong hash is refused': async (world) => {
    const Bucket = await createBucket(world);
    const { UploadId } = await world.client.send(
      new CreateMultipartUploadCommand({ Bucket, Key: 'k', ChecksumAlgorithm: 'SHA256' }),
    );
    const part = {
      Bucket,
      Key: 'k',
      UploadId,
      PartNumber: 1,
      Body: bytes(9),
      ChecksumSHA256: hashOf(bytes(8)),
    };
    await expect(world.client.send(new UploadPartCommand(part))).rejects.toMatchObject(named('BadDigest'));
  },

  'parts in the wrong order are refused': async (world) => {
    const { parts, complete } = await uploaded(world, [bytes(5 * megabyte, 1), bytes(5 * megabyte, 2)]);
    await expect(complete(parts.toReversed())).rejects.toMatchObject(named('InvalidPartOrder'));
  },

  'a part with a wrong ETag is refused': async (world) => {
    const { parts, complete } = await uploaded(world, [bytes(5 * megabyte), bytes(9, 2)]);
    const [one, two] = parts;
    await expect(complete([{ ...one, ETag: two?.ETag }, two ?? {}])).rejects.toMatchObject(
      named('InvalidPart'),
    );
  },

  'a part that is too small is refused unless it is the last': async (world) => {
    const { parts, complete } = await uploaded(world, [bytes(9), bytes(9)]);
    await expect(complete(parts)).rejects.toMatchObject(named('EntityTooSmall'));
  },

  'an object is visible only after its upload is complete': async (world) => {
    const { at, parts, complete } = await uploaded(world, [bytes(9)]);
    await expect(world.client.send(new HeadObjectCommand(at))).rejects.toMatchObject(named('NotFound'));
    await complete(parts);
    expect(await world.client.send(new HeadObjectCommand(at))).toMatchObject({ ContentLength: 9 });
  },

  'a range with If-Match is returned only while the ETag matches': async (world) => {
    const Bucket = await createBucket(world);
    const put = new PutObjectCommand({ Bucket, Key: 'k', Body: Buffer.from('0123456789') });
    const { ETag } = await world.client.send(put);
    const get = (IfMatch: string | undefined) =>
      world.client.send(new GetObjectCommand({ Bucket, Key: 'k', Range: 'bytes=2-4', IfMatch }));
    const answer = await get(ETag);
    expect(await answer.Body?.transformToString()).toBe('234');
    expect(answer.ContentRange).toBe('bytes 2-4/10');
    await expect(get('"other"')).rejects.toMatchObject(named('PreconditionFailed'));
  },

  'a list is ordered and has pages': async (world) => {
    const Bucket = await createBucket(world);
    for (const Key of ['b/2', 'a', 'b/3', 'b/1'])
      await world.client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Key) }));
    const list = (terms: object) =>
      world.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'b/', MaxKeys: 2, ...terms }));
    const first = await list({});
    const second = await list({ ContinuationToken: first.NextContinuationToken });
    const keys = [...(first.Contents ?? []), ...(second.Contents ?? [])].map(({ Key }) => Key);
    expect([keys, first.IsTruncated, second.IsTruncated]).toEqual([['b/1', 'b/2', 'b/3'], true, false]);
  },

  'a missing bucket or key has an error code of its own': async (world) => {
    const Bucket = await createBucket(world);
    const get = (at: object) => world.client.send(new GetObjectCommand({ Bucket, Key: 'none', ...at }));
    await expect(get({})).rejects.toMatchObject(named('NoSuchKey'));
    await expect(get({ Bucket: 'drover-missing' })).rejects.toMatchObject(named('NoSuchBucket'));
    const list = new ListObjectsV2Command({ Bucket: 'drover-missing' });
    await expect(world.client.send(list)).rejects.toMatchObject(named('NoSuchBucket'));
  },
};
