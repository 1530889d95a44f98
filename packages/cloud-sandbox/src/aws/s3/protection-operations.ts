import type {
  DeletePublicAccessBlockRequest,
  GetBucketEncryptionRequest,
  GetPublicAccessBlockRequest,
  PutBucketEncryptionRequest,
  PutPublicAccessBlockRequest,
} from '@aws-sdk/client-s3';
import { noSuchPublicAccessBlock } from './errors.ts';
import { type Bucket, bucketOf, type S3World } from './world.ts';

/** What S3 gives each new bucket: encryption since January 2023, no public access since April 2023 (S3 user guide). */
export const newBucketProtection: Pick<Bucket, 'encryption' | 'publicAccessBlock'> = {
  encryption: {
    Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false }],
  },
  publicAccessBlock: {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  },
};

export function protectionOperations(world: S3World) {
  const change = (name: string | undefined, changes: Partial<Bucket>) => {
    world.buckets.set(name ?? '', { ...bucketOf(world, name), ...changes });
    return {};
  };
  return {
    GetBucketEncryption: ({ Bucket: name }: GetBucketEncryptionRequest) => ({
      ServerSideEncryptionConfiguration: bucketOf(world, name).encryption,
    }),

    PutBucketEncryption: (input: PutBucketEncryptionRequest) =>
      change(input.Bucket, { encryption: input.ServerSideEncryptionConfiguration ?? { Rules: [] } }),

    GetPublicAccessBlock: ({ Bucket: name }: GetPublicAccessBlockRequest) => {
      const { publicAccessBlock } = bucketOf(world, name);
      if (publicAccessBlock === undefined) throw noSuchPublicAccessBlock();
      return { PublicAccessBlockConfiguration: publicAccessBlock };
    },

    PutPublicAccessBlock: (input: PutPublicAccessBlockRequest) =>
      change(input.Bucket, { publicAccessBlock: input.PublicAccessBlockConfiguration ?? {} }),

    DeletePublicAccessBlock: ({ Bucket: name }: DeletePublicAccessBlockRequest) =>
      change(name, { publicAccessBlock: undefined }),
  };
}
