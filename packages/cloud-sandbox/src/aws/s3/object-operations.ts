import type {
  DeleteObjectRequest,
  DeleteObjectsRequest,
  GetObjectRequest,
  HeadObjectRequest,
  PutObjectRequest,
} from '@aws-sdk/client-s3';
import { AwsError } from '../service.ts';
import { badDigest, invalidRange, noSuchKey, preconditionFailed } from './errors.ts';
import { bucketOf, md5, type S3World, type StoredObject, sha256 } from './world.ts';

export const objectOperations = (world: S3World) => ({
  PutObject: (input: Omit<PutObjectRequest, 'Body'> & { readonly Body?: unknown }) => {
    const { Bucket, Key = '', Metadata = {}, ContentType, ChecksumSHA256 } = input;
    const content = input.Body instanceof Uint8Array ? Uint8Array.from(input.Body) : new Uint8Array();
    if (ChecksumSHA256 !== undefined && ChecksumSHA256 !== sha256(content).toString('base64'))
      throw badDigest();
    const eTag = `"${md5(content).toString('hex')}"`;
    bucketOf(world, Bucket).objects.set(Key, {
      content,
      eTag,
      metadata: Metadata,
      contentType: ContentType,
      encryption: input.ServerSideEncryption,
      kmsKeyId: input.SSEKMSKeyId,
      checksum: ChecksumSHA256,
      lastModified: world.clock.now(),
    });
    return { ETag: eTag, ChecksumSHA256 };
  },

  GetObject: (input: GetObjectRequest) => {
    const object = objectOf(world, input);
    if (!object) throw noSuchKey();
    if (input.IfMatch !== undefined && input.IfMatch !== object.eTag) throw preconditionFailed();
    const range = rangeOf(input.Range, object.content.length);
    if (!range) return { ...described(object, input), Body: object.content };
    const Body = object.content.subarray(range.first, range.last + 1);
    const ContentRange = `bytes ${range.first}-${range.last}/${object.content.length}`;
    // The checksum is of the whole, so that a part comes without it.
    return { ...described(object, {}), ContentLength: Body.length, ContentRange, Body };
  },

  HeadObject: (input: HeadObjectRequest) => {
    const object = objectOf(world, input);
    if (!object) throw new AwsError({ code: 'NotFound', message: 'Not Found', statusCode: 404 });
    return described(object, input);
  },

  DeleteObject: (input: DeleteObjectRequest) => {
    bucketOf(world, input.Bucket).objects.delete(input.Key ?? '');
    return {};
  },

  /** What is not there counts as deleted. */
  DeleteObjects: ({ Bucket, Delete }: DeleteObjectsRequest) => {
    const { objects } = bucketOf(world, Bucket);
    const keys = (Delete?.Objects ?? []).map(({ Key = '' }) => Key);
    for (const key of keys) objects.delete(key);
    return Delete?.Quiet === true ? {} : { Deleted: keys.map((Key) => ({ Key })) };
  },
});

const objectOf = (world: S3World, { Bucket, Key }: GetObjectRequest): StoredObject | undefined =>
  bucketOf(world, Bucket).objects.get(Key ?? '');

const described = (object: StoredObject, { ChecksumMode }: Pick<GetObjectRequest, 'ChecksumMode'>) => ({
  ContentLength: object.content.length,
  ContentType: object.contentType ?? 'binary/octet-stream',
  ETag: object.eTag,
  LastModified: new Date(object.lastModified),
  Metadata: object.metadata,
  AcceptRanges: 'bytes',
  ServerSideEncryption: object.encryption ?? 'AES256',
  SSEKMSKeyId: object.kmsKeyId,
  ChecksumSHA256: ChecksumMode === 'ENABLED' ? object.checksum : undefined,
});

/** `bytes=0-499` and `bytes=500-`; what is not a range asks for the whole (RFC 9110). */
function rangeOf(range: string | undefined, size: number) {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  if (first >= size) throw invalidRange();
  return { first, last: Math.min(to ? Number(to) : size - 1, size - 1) };
}
