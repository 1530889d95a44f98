import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { type SnapshotBucket, SnapshotError, type SnapshotErrorCode } from '../etcd/snapshots/bucket.ts';
import { hasCode } from './errors.ts';
import { partsOf } from './parts-of.ts';
import { type SnapshotObjects, snapshotObjects, type Upload, type UploadedPart } from './snapshot-objects.ts';

/** S3 takes parts from 5 MB on, and 10,000 of them: 80 GB, ten times what etcd holds. */
const partBytes = 8 * 1024 * 1024;

/** What says where the parts of an object end, of whose hashes its checksum is made. */
const partBytesKey = 'part-bytes';

export interface SnapshotBucketOptions {
  readonly client: S3Client;
  /** The bucket's name. */
  readonly bucket: string;
  /** The account that owns the bucket: S3 refuses every request if another does. Absent: any account. */
  readonly owner?: string;
  readonly kmsKeyId?: string;
}

/** A bucket of S3: streamed in parts, of which one is held at a time, each with its hash. */
export function createSnapshotBucket({
  client,
  bucket,
  owner,
  kmsKeyId,
}: SnapshotBucketOptions): SnapshotBucket {
  const objects = snapshotObjects(client, { bucket, ...(owner !== undefined && { owner }) });
  return {
    put: async ({ key, metadata }, chunks) => {
      const object = {
        key,
        metadata: { ...metadata, [partBytesKey]: String(partBytes) },
        ...(kmsKeyId && { kmsKeyId }),
      };
      const uploadId = await explained(objects, () => objects.createMultipartUpload(object));
      return await uploadAll(objects, { key, uploadId }, chunks);
    },
    list: (prefix) => explained(objects, () => objects.list(prefix)),
    read: (key) => readAll(objects, key),
    remove: (key) => explained(objects, () => objects.remove(key)),
  };
}

/** Every part and its completion; where anything fails, S3 is told to forget what it has. */
async function uploadAll(objects: SnapshotObjects, upload: Upload, chunks: AsyncIterable<Uint8Array>) {
  const whole = createHash('sha256');
  const parts: UploadedPart[] = [];
  let bytes = 0;
  try {
    for await (const body of partsOf(chunks, partBytes)) {
      whole.update(body);
      bytes += body.length;
      const sha256 = createHash('sha256').update(body).digest('base64');
      const part = { partNumber: parts.length + 1, body, sha256 };
      parts.push(await explained(objects, () => objects.uploadPart(upload, part)));
    }
    await explained(objects, () => objects.completeMultipartUpload(upload, parts));
  } catch (error) {
    await forget(objects, upload, error);
    throw error;
  }
  return { bytes, sha256: whole.digest('hex') };
}

/** Parts of an upload that was not completed are invisible and cost money: the error says where S3 could not delete them. */
async function forget(objects: SnapshotObjects, upload: Upload, reason: unknown): Promise<void> {
  try {
    await objects.abortMultipartUpload(upload);
  } catch (error) {
    if (hasCode(error, 'NoSuchUpload')) return;
    const message = `upload ${upload.uploadId} of ${upload.key} failed and is still in ${objects.bucket}: abort it, or let a lifecycle rule of the bucket do so`;
    throw new SnapshotError('other', message, { cause: new AggregateError([reason, error], String(reason)) });
  }
}

async function* readAll(objects: SnapshotObjects, key: string): AsyncGenerator<Uint8Array> {
  const head = await explained(objects, () => objects.head(key), key);
  const { ETag: eTag = '', ContentLength: size = Number.NaN } = head;
  const step = Number(head.Metadata?.[partBytesKey] ?? partBytes);
  if (!Number.isSafeInteger(size) || !(step > 0 && step <= 64 * partBytes))
    throw new SnapshotError(
      'damaged',
      `${key} does not say how long it is, or in which parts it was put there`,
    );
  const hashes: Buffer[] = [];
  for (let first = 0; first < size; first += step) {
    const last = Math.min(first + step, size) - 1;
    const body = await explained(objects, () => objects.readRange(key, { first, last, eTag }), key);
    if (body.length !== last - first + 1)
      throw new SnapshotError(
        'damaged',
        `S3 gave ${body.length} bytes of ${key} where ${last - first + 1} were asked for`,
      );
    hashes.push(createHash('sha256').update(body).digest());
    yield body;
  }
  checkComposite(key, head.ChecksumSHA256, hashes);
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
  { bucket }: Pick<SnapshotObjects, 'bucket'>,
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
