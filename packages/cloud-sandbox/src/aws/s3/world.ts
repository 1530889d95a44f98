import { createHash } from 'node:crypto';
import type { PublicAccessBlockConfiguration, ServerSideEncryptionConfiguration } from '@aws-sdk/client-s3';
import type { ServiceParts } from '../integration.ts';
import { noSuchBucket, noSuchUpload } from './errors.ts';

/** The properties of an object besides its content. */
export interface ObjectTerms {
  readonly metadata: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  readonly encryption?: string | undefined;
  readonly kmsKeyId?: string | undefined;
}

export interface StoredObject extends ObjectTerms {
  readonly content: Uint8Array;
  /** With its quotes. */
  readonly eTag: string;
  readonly lastModified: number;
  /** Base64; of an object in parts with `-` and their number. */
  readonly checksum?: string | undefined;
}

export interface StoredPart {
  readonly content: Uint8Array;
  readonly eTag: string;
  readonly checksum?: string | undefined;
}

export interface OpenUpload extends ObjectTerms {
  readonly key: string;
  readonly algorithm?: string | undefined;
  readonly parts: Map<number, StoredPart>;
}

export interface Bucket {
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, OpenUpload>;
  readonly createdAt: number;
  readonly encryption: ServerSideEncryptionConfiguration;
  /** Undefined once it was deleted. */
  readonly publicAccessBlock?: PublicAccessBlockConfiguration | undefined;
}

export interface S3World extends ServiceParts {
  readonly buckets: Map<string, Bucket>;
}

export function bucketOf({ buckets }: Pick<S3World, 'buckets'>, name: string | undefined): Bucket {
  const bucket = buckets.get(name ?? '');
  if (!bucket) throw noSuchBucket();
  return bucket;
}

export function uploadOf(
  { uploads }: Bucket,
  input: { readonly UploadId?: string | undefined; readonly Key?: string | undefined },
): OpenUpload {
  const upload = uploads.get(input.UploadId ?? '');
  if (upload?.key !== input.Key || !upload) throw noSuchUpload();
  return upload;
}

export const md5 = (content: Uint8Array): Buffer => createHash('md5').update(content).digest();
export const sha256 = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest();
