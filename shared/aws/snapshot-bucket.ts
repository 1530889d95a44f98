import { createHash } from 'node:crypto';
import { type SnapshotBucket, SnapshotError, type SnapshotErrorCode } from '../etcd/snapshots/bucket.ts';
import type { S3Api, Upload, UploadedPart } from './api/s3-api.ts';
import { hasCode } from './errors.ts';
import { partsOf } from './parts-of.ts';

/** S3 takes parts from 5 MB on, and 10,000 of them: 80 GB, ten times what etcd holds. */
const partBytes = 8 * 1024 * 1024;

/** What says where the parts of an object end, of whose hashes its checksum is made. */
const partBytesKey = 'part-bytes';

export interface SnapshotBucketOptions {
  readonly api: S3Api;
  readonly kmsKeyId?: string;
}

/** A bucket of S3: streamed in parts, of which one is held at a time, each with its hash. */
export function createSnapshotBucket({ api, kmsKeyId }: SnapshotBucketOptions): SnapshotBucket {
  return {
    put: async ({ key, metadata }, chunks) => {
      const object = {
        key,
        metadata: { ...metadata, [partBytesKey]: String(partBytes) },
        ...(kmsKeyId && { kmsKeyId }),
      };
      const uploadId = await explained(api, () => api.createMultipartUpload(object));
      return await uploadAll(api, { key, uploadId }, chunks);
    },
    list: async (prefix) => {
      const objects = await explained(api, () => api.listObjects(prefix));
      return objects.map(({ key, bytes }) => ({ key, bytes }));
    },
    read: (key) => readAll(api, key),
    remove: (key) => explained(api, () => api.deleteObject(key)),
  };
}

/** Every part and its completion; where anything fails, S3 is told to forget what it has. */
async function uploadAll(api: S3Api, upload: Upload, chunks: AsyncIterable<Uint8Array>) {
  const whole = createHash('sha256');
  const parts: UploadedPart[] = [];
  let bytes = 0;
  try {
    for await (const body of partsOf(chunks, partBytes)) {
      whole.update(body);
      bytes += body.length;
      const sha256 = createHash('sha256').update(body).digest('base64');
      const part = { partNumber: parts.length + 1, body, sha256 };
      parts.push(await explained(api, () => api.uploadPart(upload, part)));
    }
    await explained(api, () => api.completeMultipartUpload(upload, parts));
  } catch (error) {
    await forget(api, upload, error);
    throw error;
  }
  return { bytes, sha256: whole.digest('hex') };
}

/** Parts that nobody can see are paid for: where S3 does not forget them now, the reader must know. */
async function forget(api: S3Api, upload: Upload, reason: unknown): Promise<void> {
  try {
    await api.abortMultipartUpload(upload);
  } catch (error) {
    if (hasCode(error, 'NoSuchUpload')) return;
    const message = `upload ${upload.uploadId} of ${upload.key} failed and is still in ${api.bucket}: abort it, or let a lifecycle rule of the bucket do so`;
    throw new SnapshotError('other', message, { cause: new AggregateError([reason, error], String(reason)) });
  }
}

async function* readAll(api: S3Api, key: string): AsyncGenerator<Uint8Array> {
  const headers = await explained(api, () => api.headObject(key), key);
  const { etag: eTag = '' } = headers;
  const size = Number(headers['content-length']);
  const step = Number(headers[`x-amz-meta-${partBytesKey}`] ?? partBytes);
  if (!Number.isSafeInteger(size) || !(step > 0 && step <= 64 * partBytes))
    throw new SnapshotError(
      'damaged',
      `${key} does not say how long it is, or in which parts it was put there`,
    );
  const hashes: Buffer[] = [];
  for (let first = 0; first < size; first += step) {
    const last = Math.min(first + step, size) - 1;
    const body = await explained(api, () => api.getRange(key, { first, last, eTag }), key);
    if (body.length !== last - first + 1)
      throw new SnapshotError(
        'damaged',
        `S3 gave ${body.length} bytes of ${key} where ${last - first + 1} were asked for`,
      );
    hashes.push(createHash('sha256').update(body).digest());
    yield body;
  }
  checkComposite(key, headers['x-amz-checksum-sha256'], hashes);
}

/** The checksum of an object in parts is the hash of their hashes (S3 user guide, "Checking object integrity"). */
function checkComposite(key: string, checksum: string | undefined, hashes: readonly Buffer[]): void {
  const [expected, count] = checksum?.split('-') ?? [];
  if (expected === undefined || count === undefined) return;
  const found = createHash('sha256').update(Buffer.concat(hashes)).digest('base64');
  if (found !== expected || Number(count) !== hashes.length)
    throw new SnapshotError('damaged', `${key} is not what was put there: its checksum differs`);
}

const codes: readonly (readonly [code: SnapshotErrorCode, names: readonly string[]])[] = [
  ['no-bucket', ['NoSuchBucket']],
  ['not-found', ['NoSuchKey', 'NotFound']],
  ['denied', ['AccessDenied']],
  ['damaged', ['BadDigest', 'PreconditionFailed', 'XAmzContentSHA256Mismatch']],
];

async function explained<Result>(
  { bucket }: Pick<S3Api, 'bucket'>,
  act: () => Promise<Result>,
  key?: string,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const code = codes.find(([, names]) => hasCode(error, ...names))?.[0];
    if (code === undefined || !(error instanceof Error)) throw error;
    const where = key === undefined ? `the bucket ${bucket}` : `${key} in the bucket ${bucket}`;
    throw new SnapshotError(code, `${where}: ${error.message}`, { cause: error });
  }
}
