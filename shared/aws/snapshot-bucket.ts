import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  type SnapshotBucket,
  SnapshotError,
  type SnapshotErrorCode,
  type StoredObject,
} from '../etcd/snapshots/bucket.ts';
import { hasCode, required } from './errors.ts';

/** S3 takes parts from 5 MB on, and 10,000 of them: 80 GB, ten times what etcd holds. */
const partBytes = 8 * 1024 * 1024;

/** What says where the parts of an object end, of whose hashes its checksum is made. */
const partBytesKey = 'part-bytes';

export interface SnapshotBucketOptions {
  readonly client: S3Client;
  /** The bucket's name. */
  readonly bucket: string;
  /** The account that owns the bucket: S3 refuses every request if another does. Defaults to any account. */
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

/** Uploads every part and completes the upload. If anything fails, the upload is aborted, so that S3 keeps no part. */
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

/** S3 may think over the completion of a large upload for a minute. */
const completionMilliseconds = 90_000;

/** A part that S3 has taken. */
export interface UploadedPart {
  readonly partNumber: number;
  readonly eTag: string;
  /** Base64, as S3 keeps it. */
  readonly sha256: string;
}

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export interface NewObject {
  readonly key: string;
  /** Names in lower case, without their beginning `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The id, ARN or alias of a KMS key; absent: the bucket's own encryption. */
  readonly kmsKeyId?: string;
}

/** The operations on the objects of one bucket that snapshots need. They reject with the errors of the SDK. */
export type SnapshotObjects = ReturnType<typeof snapshotObjects>;

/** A bucket that was deleted can be made again under its name by another account. */
export interface BucketPlace {
  readonly bucket: string;
  readonly owner?: string;
}

export function snapshotObjects(client: S3Client, { bucket, owner }: BucketPlace) {
  const inBucket = { Bucket: bucket, ...(owner !== undefined && { ExpectedBucketOwner: owner }) };
  const partOf = ({ key, uploadId }: Upload) => ({ ...inBucket, Key: key, UploadId: uploadId });
  return {
    bucket,
    createMultipartUpload: async ({ key, metadata, kmsKeyId }: NewObject): Promise<string> => {
      const { UploadId, $metadata } = await client.send(
        new CreateMultipartUploadCommand({
          ...inBucket,
          Key: key,
          ContentType: 'application/octet-stream',
          ChecksumAlgorithm: 'SHA256',
          Metadata: { ...metadata },
          ...(kmsKeyId !== undefined && { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyId }),
        }),
      );
      return required(UploadId, { name: 'UploadId', $metadata });
    },

    /** S3 refuses a part that does not have this hash: what arrives is what was sent. */
    uploadPart: async (
      upload: Upload,
      part: { readonly partNumber: number; readonly body: Uint8Array; readonly sha256: string },
    ): Promise<UploadedPart> => {
      const { partNumber, body, sha256 } = part;
      const { ETag, $metadata } = await client.send(
        new UploadPartCommand({
          ...partOf(upload),
          PartNumber: partNumber,
          Body: body,
          ChecksumSHA256: sha256,
        }),
      );
      return { partNumber, eTag: required(ETag, { name: 'ETag', $metadata }), sha256 };
    },

    completeMultipartUpload: async (upload: Upload, parts: readonly UploadedPart[]): Promise<void> => {
      const Parts = parts.map(({ partNumber, eTag, sha256 }) => ({
        PartNumber: partNumber,
        ETag: eTag,
        ChecksumSHA256: sha256,
      }));
      const { ETag, $metadata } = await client.send(
        new CompleteMultipartUploadCommand({ ...partOf(upload), MultipartUpload: { Parts } }),
        { requestTimeout: completionMilliseconds },
      );
      required(ETag, { name: 'ETag', $metadata });
    },

    abortMultipartUpload: async (upload: Upload): Promise<void> => {
      await client.send(new AbortMultipartUploadCommand(partOf(upload)));
    },

    /** Reads every page. */
    list: async (prefix: string): Promise<readonly StoredObject[]> => {
      const objects: StoredObject[] = [];
      let token: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await client.send(
          new ListObjectsV2Command({ ...inBucket, Prefix: prefix, ContinuationToken: token }),
        );
        const { Contents = [], IsTruncated, NextContinuationToken, $metadata } = page;
        // S3 leaves out the list if no object has the prefix, but not this.
        required(IsTruncated, { name: 'IsTruncated', $metadata });
        objects.push(
          ...Contents.map(({ Key, Size = 0, LastModified }) => ({
            key: required(Key, { name: 'Key', $metadata }),
            bytes: Size,
            storedAt: required(LastModified, { name: 'LastModified', $metadata }).getTime(),
          })),
        );
        token = NextContinuationToken;
      } while (token !== undefined);
      return objects;
    },

    /** Its size, its ETag, its metadata, and its checksum as S3 keeps it. */
    head: (key: string): Promise<HeadObjectCommandOutput> =>
      client.send(new HeadObjectCommand({ ...inBucket, Key: key, ChecksumMode: 'ENABLED' })),

    /** The bytes from the first to the last, both included; only while the object is the one of this ETag. */
    readRange: async (
      key: string,
      range: { readonly first: number; readonly last: number; readonly eTag: string },
    ): Promise<Uint8Array> => {
      const { Body, $metadata } = await client.send(
        new GetObjectCommand({
          ...inBucket,
          Key: key,
          Range: `bytes=${range.first}-${range.last}`,
          IfMatch: range.eTag,
        }),
      );
      return await required(Body, { name: 'Body', $metadata }).transformToByteArray();
    },

    remove: async (key: string): Promise<void> => {
      await client.send(new DeleteObjectCommand({ ...inBucket, Key: key }));
    },
  };
}

/** A stream in parts of one size, the last one shorter. An empty stream has none. */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (size + rest.length >= partBytes) {
      const missing = partBytes - size;
      yield Buffer.concat([...held, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      held = [];
      size = 0;
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
