import type { AwsHttpRequest } from './http.ts';

export interface S3Address {
  /** Empty: the service itself. */
  readonly bucket: string;
  /** Undefined for the bucket itself. */
  readonly key?: string;
}

/** The bucket is in the host name, or it begins the path (S3 user guide, "Virtual hosting of general purpose buckets"). */
export function addressOf({ path, headers }: AwsHttpRequest): S3Address {
  const inHost = /^(.+)\.s3[.-][\w.-]*amazonaws\.com/.exec(headers['host'] ?? '')?.[1];
  const rest = decodeURIComponent(path.slice(1));
  if (inHost !== undefined) return rest === '' ? { bucket: inHost } : { bucket: inHost, key: rest };
  const [, bucket = '', key = ''] = /^([^/]*)\/?(.*)$/s.exec(rest) ?? [];
  return key === '' ? { bucket } : { bucket, key };
}

type Level = 'service' | 'bucket' | 'object';

/** Method, what is addressed, the part of it that the query names -> the operation. */
const routes: readonly (readonly [
  method: string,
  level: Level,
  part: string | undefined,
  operation: string,
])[] = [
  ['GET', 'service', undefined, 'ListBuckets'],
  ['PUT', 'bucket', undefined, 'CreateBucket'],
  ['HEAD', 'bucket', undefined, 'HeadBucket'],
  ['DELETE', 'bucket', undefined, 'DeleteBucket'],
  ['GET', 'bucket', undefined, 'ListObjects'],
  ['GET', 'bucket', 'list-type', 'ListObjectsV2'],
  ['POST', 'bucket', 'delete', 'DeleteObjects'],
  ['GET', 'bucket', 'encryption', 'GetBucketEncryption'],
  ['PUT', 'bucket', 'encryption', 'PutBucketEncryption'],
  ['GET', 'bucket', 'publicAccessBlock', 'GetPublicAccessBlock'],
  ['PUT', 'bucket', 'publicAccessBlock', 'PutPublicAccessBlock'],
  ['DELETE', 'bucket', 'publicAccessBlock', 'DeletePublicAccessBlock'],
  ['POST', 'object', 'uploads', 'CreateMultipartUpload'],
  ['PUT', 'object', 'uploadId', 'UploadPart'],
  ['POST', 'object', 'uploadId', 'CompleteMultipartUpload'],
  ['DELETE', 'object', 'uploadId', 'AbortMultipartUpload'],
  ['PUT', 'object', undefined, 'PutObject'],
  ['GET', 'object', undefined, 'GetObject'],
  ['HEAD', 'object', undefined, 'HeadObject'],
  ['DELETE', 'object', undefined, 'DeleteObject'],
];

/** Names in a query that ask for a part, and so for another operation; the others only say more about it. */
const parts = new Set(
  `accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle
  list-type location logging metrics notification object-lock ownershipControls policy policyStatus publicAccessBlock
  replication requestPayment restore retention select tagging torrent uploadId uploads versioning versions website`.split(
    /\s+/,
  ),
);

/** Undefined where the sandbox has none for it: a part that it does not know is not the whole. */
export function s3OperationName(request: AwsHttpRequest): string | undefined {
  const { bucket, key } = addressOf(request);
  const level = bucket === '' ? 'service' : key === undefined ? 'bucket' : 'object';
  const part = request.query.map(([name]) => name).find((name) => parts.has(name));
  return routes.find(
    ([method, at, asked]) => method === request.method && at === level && asked === part,
  )?.[3];
}
