import { createHash } from 'node:crypto';
import { CreateBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createSnapshotBucket } from '../../../shared/aws/snapshot-bucket.ts';
import type { AwsWorld } from './world.ts';

const megabyte = 1024 * 1024;

/** A new bucket, as Drover keeps snapshots in it. */
async function open({ s3, connection }: AwsWorld) {
  const bucket = `drover-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return { bucket, store: createSnapshotBucket({ client: s3Client(connection), bucket }) };
}

async function* chunked(content: Uint8Array, end?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += megabyte) yield content.subarray(at, at + megabyte);
  if (end) throw end;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** What Drover asks of S3. */
export const s3Cases: Cases<AwsWorld> = {
  'a multipart snapshot is read back unchanged': async (world) => {
    const { bucket, store } = await open(world);
    const content = Buffer.concat([Buffer.alloc(8 * megabyte, 7), Buffer.alloc(megabyte + 1, 9)]);
    const key = 'drover/a b/2026-11-21T20:05:44.123Z-7.db';
    const kept = await store.put({ key, metadata: { member: 'm' } }, chunked(content));
    expect(kept).toEqual({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const [listed, ...others] = await store.list('drover/');
    expect(others).toEqual([]);
    expect(listed).toEqual({ key, bytes: content.length, storedAt: expect.any(Number) });
    expect((await collected(store.read(key))).equals(content)).toBe(true);
    const head = await world.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    expect(head.Metadata).toMatchObject({ member: 'm' });
    await store.remove(key);
    expect(await store.list('drover/')).toEqual([]);
  },
  'a stream that breaks off leaves no object': async (world) => {
    const { store } = await open(world);
    const end = new Error('gone');
    const content = chunked(Buffer.alloc(9 * megabyte, 7), end);
    await expect(store.put({ key: 'k', metadata: {} }, content)).rejects.toBe(end);
    expect(await store.list('')).toEqual([]);
  },
  'Drover reports a missing object and a missing bucket as missing': async (world) => {
    const { store } = await open(world);
    await expect(collected(store.read('none'))).rejects.toMatchObject({ code: 'not-found' });
    const missing = createSnapshotBucket({ client: s3Client(world.connection), bucket: 'drover-missing' });
    await expect(missing.list('')).rejects.toMatchObject({ code: 'no-bucket' });
  },
};
