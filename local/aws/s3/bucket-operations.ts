import type { CreateBucketRequest, ListObjectsV2Request } from '@aws-sdk/client-s3';
import { bucketExists, invalidBucketName, notSimulated } from './errors.ts';
import { bucketOf, type S3World } from './world.ts';

const mostKeys = 1000;

export const bucketOperations = (world: S3World) => ({
  CreateBucket: ({ Bucket = '' }: CreateBucketRequest) => {
    if (!/^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(Bucket)) throw invalidBucketName();
    if (world.buckets.has(Bucket)) throw bucketExists();
    world.buckets.set(Bucket, { objects: new Map(), uploads: new Map() });
    return { Location: `/${Bucket}` };
  },

  /** In the order of the names, page by page; the token is the name that the page before ended with. */
  ListObjectsV2: (input: ListObjectsV2Request) => {
    const { Bucket, Prefix = '', ContinuationToken, StartAfter = '', MaxKeys = mostKeys } = input;
    if (input.Delimiter) throw notSimulated('ListObjectsV2 with a delimiter');
    const after =
      ContinuationToken === undefined ? StartAfter : Buffer.from(ContinuationToken, 'base64').toString();
    const left = [...bucketOf(world, Bucket).objects]
      .filter(([key]) => key.startsWith(Prefix) && key > after)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const page = left.slice(0, Math.min(MaxKeys, mostKeys));
    const IsTruncated = page.length < left.length;
    return {
      Name: Bucket,
      Prefix,
      MaxKeys,
      KeyCount: page.length,
      IsTruncated,
      ...(IsTruncated && { NextContinuationToken: Buffer.from(page.at(-1)?.[0] ?? '').toString('base64') }),
      Contents: page.map(([Key, { content, eTag, lastModified }]) => ({
        Key,
        Size: content.length,
        ETag: eTag,
        LastModified: new Date(lastModified),
        StorageClass: 'STANDARD',
      })),
    };
  },
});
