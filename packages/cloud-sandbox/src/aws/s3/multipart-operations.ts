import type {
  AbortMultipartUploadRequest,
  CompletedPart,
  CompleteMultipartUploadRequest,
  CreateMultipartUploadRequest,
  UploadPartRequest,
} from '@aws-sdk/client-s3';
import {
  badDigest,
  entityTooSmall,
  invalidPart,
  invalidPartNumber,
  invalidPartOrder,
  malformedXml,
  missingChecksum,
} from './errors.ts';
import { bucketOf, md5, type OpenUpload, type S3World, type StoredPart, sha256, uploadOf } from './world.ts';

const minimumPartBytes = 5 * 1024 * 1024;
const mostParts = 10_000;

export const multipartOperations = (world: S3World) => ({
  CreateMultipartUpload: (input: CreateMultipartUploadRequest) => {
    const { Bucket, Key = '', Metadata = {}, ContentType, ServerSideEncryption, SSEKMSKeyId } = input;
    const UploadId = world.random.uuid();
    bucketOf(world, Bucket).uploads.set(UploadId, {
      key: Key,
      metadata: Metadata,
      contentType: ContentType,
      encryption: ServerSideEncryption,
      kmsKeyId: SSEKMSKeyId,
      algorithm: input.ChecksumAlgorithm,
      parts: new Map(),
    });
    return { Bucket, Key, UploadId, ServerSideEncryption, SSEKMSKeyId };
  },

  UploadPart: (input: Omit<UploadPartRequest, 'Body'> & { readonly Body?: unknown }) => {
    const upload = uploadOf(bucketOf(world, input.Bucket), input);
    const { PartNumber = 0, ChecksumSHA256: checksum } = input;
    if (!Number.isInteger(PartNumber) || PartNumber < 1 || PartNumber > mostParts) throw invalidPartNumber();
    const content = input.Body instanceof Uint8Array ? input.Body : new Uint8Array();
    if (upload.algorithm === 'SHA256' && checksum === undefined) throw missingChecksum();
    if (checksum !== undefined && checksum !== sha256(content).toString('base64')) throw badDigest();
    const eTag = `"${md5(content).toString('hex')}"`;
    upload.parts.set(PartNumber, { content: Uint8Array.from(content), eTag, checksum });
    return { ETag: eTag, ChecksumSHA256: checksum };
  },

  CompleteMultipartUpload: (input: CompleteMultipartUploadRequest) => {
    const { Bucket, Key = '', MultipartUpload } = input;
    const bucket = bucketOf(world, Bucket);
    const upload = uploadOf(bucket, input);
    const parts = chosenParts(upload, MultipartUpload?.Parts ?? []);
    const count = parts.length;
    const eTag = `"${md5(Buffer.concat(parts.map(({ content }) => md5(content)))).toString('hex')}-${count}"`;
    const hashes = Buffer.concat(parts.map(({ content }) => sha256(content)));
    const checksum =
      upload.algorithm === 'SHA256' ? `${sha256(hashes).toString('base64')}-${count}` : undefined;
    const { metadata, contentType, encryption, kmsKeyId } = upload;
    bucket.objects.set(Key, {
      metadata,
      contentType,
      encryption,
      kmsKeyId,
      eTag,
      checksum,
      content: Buffer.concat(parts.map(({ content }) => content)),
      lastModified: world.clock.now(),
    });
    bucket.uploads.delete(input.UploadId ?? '');
    return { Bucket, Key, ETag: eTag, ChecksumSHA256: checksum };
  },

  AbortMultipartUpload: (input: AbortMultipartUploadRequest) => {
    const bucket = bucketOf(world, input.Bucket);
    uploadOf(bucket, input);
    bucket.uploads.delete(input.UploadId ?? '');
    return {};
  },
});

/** The parts that a completion names: in order, as they were uploaded, and all but the last of 5 MB at least. */
function chosenParts(upload: OpenUpload, named: readonly CompletedPart[]): readonly StoredPart[] {
  if (named.length === 0) throw malformedXml();
  const numbers = named.map(({ PartNumber = 0 }) => PartNumber);
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0))) throw invalidPartOrder();
  const parts = named.map((part) => partFor(upload, part));
  if (parts.slice(0, -1).some(({ content }) => content.length < minimumPartBytes)) throw entityTooSmall();
  return parts;
}

function partFor(
  { parts, algorithm }: OpenUpload,
  { PartNumber = 0, ETag, ChecksumSHA256 }: CompletedPart,
): StoredPart {
  const part = parts.get(PartNumber);
  if (!part || part.eTag.replaceAll('"', '') !== ETag?.replaceAll('"', '')) throw invalidPart();
  if (algorithm === 'SHA256' && part.checksum !== ChecksumSHA256) throw invalidPart();
  return part;
}
