import type {
  CreateBucketRequest,
  DeleteBucketRequest,
  HeadBucketRequest,
  ListBucketsRequest,
  ListObjectsRequest,
  ListObjectsV2Request,
} from '@aws-sdk/client-s3';
import { AwsError } from '../service.ts';
import { bucketExists, bucketNotEmpty, invalidBucketName } from './errors.ts';
import { listObjects, listObjectsByMarker } from './list-objects.ts';
import { newBucketProtection } from './protection-operations.ts';
import { bucketOf, type S3World } from './world.ts';

export const bucketOperations = (world: S3World) => ({
  ListBuckets: ({ Prefix = '' }: ListBucketsRequest) => {
    const found = [...world.buckets].filter(([name]) => name.startsWith(Prefix));
    return {
      Owner: { ID: world.accountId },
      Buckets: found
        .map(([Name, { createdAt }]) => ({ Name, CreationDate: new Date(createdAt) }))
        .sort((one, other) => (one.Name < other.Name ? -1 : 1)),
    };
  },

  CreateBucket: ({ Bucket = '' }: CreateBucketRequest) => {
    if (!/^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(Bucket)) throw invalidBucketName();
    if (world.buckets.has(Bucket)) throw bucketExists();
    world.buckets.set(Bucket, {
      ...newBucketProtection,
      objects: new Map(),
      uploads: new Map(),
      createdAt: world.clock.now(),
    });
    return { Location: `/${Bucket}` };
  },

  HeadBucket: ({ Bucket = '' }: HeadBucketRequest) => {
    if (!world.buckets.has(Bucket))
      throw new AwsError({ code: 'NotFound', message: 'Not Found', statusCode: 404 });
    return { BucketRegion: world.region };
  },

  DeleteBucket: ({ Bucket = '' }: DeleteBucketRequest) => {
    if (bucketOf(world, Bucket).objects.size > 0) throw bucketNotEmpty();
    world.buckets.delete(Bucket);
    return {};
  },

  ListObjects: (input: ListObjectsRequest) => listObjectsByMarker(world, input),

  ListObjectsV2: (input: ListObjectsV2Request) => listObjects(world, input),
});
