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
import type { StoredObject } from '../etcd/snapshots/bucket.ts';
import { required } from './unreadable-answer.ts';

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
        // S3 leaves out the list where no object has the prefix, but not this.
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
