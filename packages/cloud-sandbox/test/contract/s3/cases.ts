import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { AwsConnection } from '../../../../../shared/aws/connection.ts';
import { s3Client } from '../../../../../shared/aws/s3-client.ts';
import { createSnapshotBucket } from '../../../../../shared/aws/snapshot-bucket.ts';
import type { Cases } from '../../../truth/contract.ts';

/** An S3, by the client of the SDK and as Drover reaches it. */
export interface S3World {
  readonly client: S3Client;
  readonly connection: AwsConnection;
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

const storeOf = ({ connection }: S3World, bucket: string) =>
  createSnapshotBucket({ client: s3Client(connection), bucket });

async function* chunked(content: Uint8Array, end?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += megabyte) yield content.subarray(at, at + megabyte);
  if (end) throw end;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** An upload with parts of these lengths. */
async function uploaded(world: S3World, lengths: readonly number[]) {
  const Bucket = await createBucket(world);
  const at = { Bucket, Key: 'k' };
  const { UploadId } = await world.client.send(new CreateMultipartUploadCommand(at));
  const parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
  for (const [index, length] of lengths.entries()) {
    const PartNumber = index + 1;
    const Body = bytes(length, PartNumber);
    const { ETag } = await world.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
  }
  const complete = (Parts: readonly object[]) =>
    world.client.send(
      new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: [...Parts] } }),
    );
  return { at, parts, complete };
}

const named = (name: string) => ({ name });

/** What every S3 does, by its API reference; a sentence and what shows it. */
export const s3Cases: Cases<S3World> = {
  'a snapshot in parts comes back as it was': async (world) => {
    const bucket = await createBucket(world);
    const content = Buffer.concat([bytes(8 * megabyte), bytes(megabyte + 1, 9)]);
    const key = 'drover/a b/2026-11-21T20:05:44.123Z-7.db';
    const kept = await storeOf(world, bucket).put({ key, metadata: { member: 'm' } }, chunked(content));
    expect(kept).toEqual({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(await storeOf(world, bucket).list('drover/')).toEqual([{ key, bytes: content.length }]);
    expect((await collected(storeOf(world, bucket).read(key))).equals(content)).toBe(true);
    const head = await world.client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    expect(head.Metadata).toMatchObject({ member: 'm' });
    await storeOf(world, bucket).remove(key);
    expect(await storeOf(world, bucket).list('drover/')).toEqual([]);
  },

  'the checksum of an object in parts is the hash of their hashes': async (world) => {
    const bucket = await createBucket(world);
    const parts = [bytes(8 * megabyte), bytes(5, 9)];
    await storeOf(world, bucket).put({ key: 'k', metadata: {} }, chunked(Buffer.concat(parts)));
    const command = new HeadObjectCommand({ Bucket: bucket, Key: 'k', ChecksumMode: 'ENABLED' });
    const composite = hashOf(Buffer.concat(parts.map((part) => Buffer.from(hashOf(part), 'base64'))));
    expect((await world.client.send(command)).ChecksumSHA256).toBe(`${composite}-2`);
  },

  'a stream that breaks off leaves no object': async (world) => {
    const bucket = await createBucket(world);
    const end = new Error('gone');
    const put = storeOf(world, bucket).put({ key: 'k', metadata: {} }, chunked(bytes(9 * megabyte), end));
    await expect(put).rejects.toBe(end);
    expect(await storeOf(world, bucket).list('')).toEqual([]);
  },

  'a part with another hash is refused': async (world) => {
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

  'parts in another order are refused': async (world) => {
    const { parts, complete } = await uploaded(world, [5 * megabyte, 5 * megabyte]);
    await expect(complete(parts.toReversed())).rejects.toMatchObject(named('InvalidPartOrder'));
  },

  'a part with another ETag is refused': async (world) => {
    const { parts, complete } = await uploaded(world, [5 * megabyte, 9]);
    const [one, two] = parts;
    await expect(complete([{ ...one, ETag: two?.ETag }, two ?? {}])).rejects.toMatchObject(
      named('InvalidPart'),
    );
  },

  'a small part is refused unless it is the last': async (world) => {
    const { parts, complete } = await uploaded(world, [9, 9]);
    await expect(complete(parts)).rejects.toMatchObject(named('EntityTooSmall'));
  },

  'an object is seen when its upload is complete': async (world) => {
    const { at, parts, complete } = await uploaded(world, [9]);
    await expect(world.client.send(new HeadObjectCommand(at))).rejects.toMatchObject(named('NotFound'));
    await complete(parts);
    expect(await world.client.send(new HeadObjectCommand(at))).toMatchObject({ ContentLength: 9 });
  },

  'a range comes while the object is the one that was meant': async (world) => {
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

  'a list comes in order, page by page': async (world) => {
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

  'what is not there is said by its name': async (world) => {
    const Bucket = await createBucket(world);
    const get = (at: object) => world.client.send(new GetObjectCommand({ Bucket, Key: 'none', ...at }));
    await expect(get({})).rejects.toMatchObject(named('NoSuchKey'));
    await expect(get({ Bucket: 'drover-nobodys' })).rejects.toMatchObject(named('NoSuchBucket'));
    await expect(collected(storeOf(world, Bucket).read('none'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(storeOf(world, 'drover-nobodys').list('')).rejects.toMatchObject({ code: 'no-bucket' });
  },
};
