import { createHash } from 'node:crypto';
import { AwsError, type Fault } from '@drover/cloud-sandbox/aws';
import { bucket, createS3Bench } from '@drover/cloud-sandbox/test/aws/s3/support.ts';
import { startAwsServer } from '@drover/cloud-sandbox/wire';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import type { AwsHttpRequest } from '../../../shared/aws/connection.ts';
import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createSnapshotBucket, partsOf, snapshotObjects } from '../../../shared/aws/snapshot-bucket.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { withoutWaits } from '../../support/aws-on-loopback.ts';

const partBytes = 8 * 1024 * 1024;

async function* chunked(content: Uint8Array, size: number, end?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  if (end) throw end;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Content whose bytes show their position. */
const contentOf = (length: number): Buffer => {
  const content = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) content.writeUInt32LE(at, at);
  return content;
};

function createBench(faultOf: (operation: string, count: number) => Fault = () => undefined) {
  const counts = new Map<string, number>();
  const bench = createS3Bench(({ operation }) => {
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    return faultOf(operation, count);
  });
  const requests: AwsHttpRequest[] = [];
  const connection = (more: object = {}) => ({
    ...bench.connection,
    ...more,
    requestHandler: {
      handle: (request: AwsHttpRequest) => {
        requests.push(request);
        return bench.connection.requestHandler.handle(request);
      },
    },
  });
  const bucketOf = (more: object = {}, name = bucket) =>
    createSnapshotBucket({ client: s3Client(connection(more)), bucket: name, ...more });
  return { ...bench, bucketOf, counts, requests };
}

const key = 'drover/prod/9a3f/2026-11-21T20:05:44.123Z-7.db';
const put = { key, metadata: { 'cluster-id': '9a3f' } };

describe('a bucket of snapshots', () => {
  it.each([1, partBytes - 1, partBytes, 2 * partBytes + 5])(
    'returns %d bytes as they were uploaded',
    async (length) => {
      const { bucketOf, counts, s3 } = createBench();
      const content = contentOf(length);
      const kept = await bucketOf().put(put, chunked(content, 1_000_003));
      expect(kept).toEqual({ bytes: length, sha256: createHash('sha256').update(content).digest('hex') });
      expect(counts.get('UploadPart')).toBe(Math.ceil(length / partBytes));
      expect(s3.controls.keys(bucket)).toEqual([key]);
      expect((await collected(bucketOf().read(key))).equals(content)).toBe(true);
    },
  );

  it('is addressed by its host name, or in the path at a custom endpoint', async () => {
    const { bucketOf, requests } = createBench();
    await bucketOf().put(put, chunked(contentOf(9), 9));
    await bucketOf({ environment: { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' } }).list('drover/');
    const [first, last] = [requests[0], requests.at(-1)];
    expect([first?.hostname, first?.path]).toEqual([
      'snapshots.s3.eu-west-1.amazonaws.com',
      '/drover/prod/9a3f/2026-11-21T20%3A05%3A44.123Z-7.db',
    ]);
    expect([last?.hostname, last?.port, last?.path]).toEqual(['127.0.0.1', 4566, '/snapshots/']);
  });

  it('encrypts with a customer key if one is set', async () => {
    const { bucketOf, requests, s3 } = createBench();
    await bucketOf({ kmsKeyId: 'alias/etcd' }).put(put, chunked(contentOf(9), 9));
    expect(requests[0]?.headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/etcd',
    });
    expect(s3.operations.HeadObject({ Bucket: bucket, Key: key })).toMatchObject({
      SSEKMSKeyId: 'alias/etcd',
      Metadata: { 'cluster-id': '9a3f', 'part-bytes': String(partBytes) },
    });
  });

  it('names the owner of the bucket in each request, and takes nothing from the bucket of another account', async () => {
    const { bucketOf, requests } = createBench();
    const owned = bucketOf({ owner: '123456789012' });
    await owned.put(put, chunked(contentOf(9), 9));
    await owned.list('drover/');
    await collected(owned.read(key));
    await owned.remove(key);
    expect(requests.length).toBeGreaterThanOrEqual(7);
    for (const { headers } of requests) expect(headers['x-amz-expected-bucket-owner']).toBe('123456789012');
    const others = bucketOf({ owner: '210987654321' });
    await expect(others.list('drover/')).rejects.toMatchObject({ code: 'denied' });
    await expect(others.put(put, chunked(contentOf(9), 9))).rejects.toMatchObject({ code: 'denied' });
  });

  const denied = new AwsError({ code: 'AccessDenied', message: 'no', statusCode: 403 });
  it.each<[string, (operation: string, count: number) => Fault, object]>([
    [
      'a part is refused',
      (operation, count) => (operation === 'UploadPart' && count === 2 ? denied : undefined),
      { code: 'denied' },
    ],
    [
      'the connection breaks',
      (operation, count) => (operation === 'UploadPart' && count === 2 ? 'fail-after' : undefined),
      { code: 'ECONNRESET' },
    ],
    [
      'the completion is refused',
      (operation) => (operation === 'CompleteMultipartUpload' ? denied : undefined),
      { code: 'denied' },
    ],
  ])('keeps no object and no parts if %s', async (_, faultOf, error) => {
    const { bucketOf, s3 } = createBench(faultOf);
    await expect(bucketOf().put(put, chunked(contentOf(partBytes + 5), partBytes))).rejects.toMatchObject(
      error,
    );
    expect([s3.controls.keys(bucket), s3.controls.openUploads(bucket)]).toEqual([[], 0]);
  });

  it('keeps nothing of a stream that fails', async () => {
    const { bucketOf, s3 } = createBench();
    const end = new Error('the member is gone');
    await expect(bucketOf().put(put, chunked(contentOf(partBytes + 5), partBytes, end))).rejects.toBe(end);
    expect([s3.controls.keys(bucket), s3.controls.openUploads(bucket)]).toEqual([[], 0]);
  });

  it('reports parts that stay in the bucket', async () => {
    const { bucketOf } = createBench((operation) =>
      operation === 'UploadPart' || operation === 'AbortMultipartUpload' ? denied : undefined,
    );
    await expect(bucketOf().put(put, chunked(contentOf(5), 5))).rejects.toThrow(
      /is still in snapshots: abort it/,
    );
  });

  it('reports a completion that fails after the status 200', async () => {
    const { connection } = createS3Bench();
    const late =
      '<?xml version="1.0"?>\n<Error><Code>InternalError</Code><Message>try again</Message></Error>';
    const headers = { 'x-amz-request-id': '1' };
    const client = s3Client({
      ...connection,
      requestHandler: {
        handle: () => Promise.resolve({ response: { statusCode: 200, headers, body: Buffer.from(late) } }),
      },
    });
    const upload = { key, uploadId: 'u' };
    await expect(
      snapshotObjects(client, { bucket }).completeMultipartUpload(upload, []),
    ).rejects.toMatchObject({
      name: 'InternalError',
      message: 'try again',
    });
  });

  it('reports an object that differs from the upload', async () => {
    const { bucketOf, s3 } = createBench();
    await bucketOf().put(put, chunked(contentOf(9), 9));
    s3.controls.damage(bucket, key);
    await expect(collected(bucketOf().read(key))).rejects.toMatchObject({ code: 'damaged' });
  });

  it('reports an object that is replaced during the download', async () => {
    const { bucketOf, s3 } = createBench();
    await bucketOf().put(put, chunked(contentOf(2 * partBytes), partBytes));
    const reader = bucketOf().read(key)[Symbol.asyncIterator]();
    await reader.next();
    s3.operations.PutObject({ Bucket: bucket, Key: key, Body: Buffer.alloc(2 * partBytes) });
    await expect(reader.next()).rejects.toMatchObject({ code: 'damaged' });
  });

  it('lists and removes objects', async () => {
    const { bucketOf, s3 } = createBench();
    for (let count = 0; count < 1003; count += 1)
      s3.operations.PutObject({ Bucket: bucket, Key: `drover/${count}`, Body: Buffer.from('x') });
    s3.operations.PutObject({ Bucket: bucket, Key: 'other', Body: Buffer.from('x') });
    expect(await bucketOf().list('drover/')).toHaveLength(1003);
    await bucketOf().remove('drover/7');
    expect(await bucketOf().list('drover/7')).not.toContainEqual(
      expect.objectContaining({ key: 'drover/7' }),
    );
  });

  it('names a missing bucket or object', async () => {
    const { bucketOf } = createBench();
    await expect(collected(bucketOf().read(key))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(key),
    });
    await expect(bucketOf({}, 'missing').list('x')).rejects.toMatchObject({
      code: 'no-bucket',
      message: expect.stringContaining('missing'),
    });
  });
});

describe('a bucket of snapshots over real sockets', () => {
  it('stores a snapshot although S3 answers SlowDown twice', async () => {
    withoutWaits();
    const { front, connection, s3 } = createS3Bench();
    let calls = 0;
    const slow: Pick<typeof front, 'handle'> = {
      handle: async (request) => {
        calls += 1;
        const error = new AwsError({
          code: 'SlowDown',
          message: 'Reduce your request rate.',
          statusCode: 503,
        });
        return calls === 2 || calls === 3 ? front.refuse(request, error) : await front.handle(request);
      },
    };
    const door = await startAwsServer({
      front: slow,
      port: 0,
      onFault: (error) => expect.fail(String(error)),
    });
    onTestFinished(() => door.close());
    const { maxAttempts: _, ...usual } = connection;
    const client = s3Client({
      ...usual,
      environment: { AWS_ENDPOINT_URL: door.url },
      requestHandler: awsOverHttp(sendHttp),
    });
    const content = contentOf(1001);
    await createSnapshotBucket({ client, bucket }).put(put, chunked(content, 1000));
    expect(s3.controls.keys(bucket)).toEqual([key]);
    expect(calls).toBe(5);
  });

  it('returns the uploaded bytes', async () => {
    const { front, connection, s3 } = createS3Bench();
    const door = await startAwsServer({ front, port: 0, onFault: (error) => expect.fail(String(error)) });
    onTestFinished(() => door.close());
    const overHttp = {
      ...connection,
      environment: { AWS_ENDPOINT_URL: door.url },
      requestHandler: awsOverHttp(sendHttp),
    };
    const store = createSnapshotBucket({ client: s3Client(overHttp), bucket });
    const content = contentOf(partBytes + 1001);
    await store.put(put, chunked(content, partBytes));
    expect(s3.controls.keys(bucket)).toEqual([key]);
    expect(await store.list('drover/prod/')).toEqual([
      { key, bytes: content.length, storedAt: expect.any(Number) },
    ]);
    expect((await collected(store.read(key))).equals(content)).toBe(true);
    await store.remove(key);
    await expect(collected(store.read(key))).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the parts of a stream', () => {
  it('all have one size but the last, and contain the whole stream', async () => {
    const streams = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(streams, fc.integer({ min: 1, max: 20 }), async (chunks, size) => {
        const parts: Uint8Array[] = [];
        for await (const part of partsOf(from(chunks), size)) parts.push(part);
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(chunks));
        expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(parts.every(({ length }) => length > 0 && length <= size)).toBe(true);
      }),
    );
  });
});

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
