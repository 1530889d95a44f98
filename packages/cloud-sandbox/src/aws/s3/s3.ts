import type { ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { bucketOperations } from './bucket-operations.ts';
import { accessDenied } from './errors.ts';
import { multipartOperations } from './multipart-operations.ts';
import { objectOperations } from './object-operations.ts';
import { protectionOperations } from './protection-operations.ts';
import { bucketOf, type S3World } from './world.ts';

const operationsOf = (world: S3World) => ({
  ...bucketOperations(world),
  ...multipartOperations(world),
  ...objectOperations(world),
  ...protectionOperations(world),
});

/** Every operation on a bucket takes `ExpectedBucketOwner`. All buckets here belong to the simulated account. */
function forExpectedOwner<Operations extends object>(
  { accountId }: S3World,
  operations: Operations,
): Operations {
  const guarded = Object.entries(operations).map(([name, operation]) => [
    name,
    (input: { readonly ExpectedBucketOwner?: string }) => {
      if ((input.ExpectedBucketOwner ?? accountId) !== accountId) throw accessDenied();
      return (operation as (input: object) => unknown)(input);
    },
  ]);
  return Object.fromEntries(guarded) as Operations;
}

/** What the rest of the simulation may know and do. */
interface S3Controls {
  /** The names of the objects of a bucket, in order. Throws NoSuchBucket. */
  keys(bucket: string): readonly string[];
  /** Undefined without such a bucket or object. */
  text(bucket: string, key: string): string | undefined;
  /** How many uploads in parts have neither been completed nor aborted. */
  openUploads(bucket: string): number;
  /** Turns one bit of an object over, as a disk might. */
  damage(bucket: string, key: string): void;
}

export interface SimulatedS3 extends AwsService {
  readonly signingName: 's3';
  readonly operations: ReturnType<typeof operationsOf>;
  readonly controls: S3Controls;
}

/**
 * Amazon S3 as snapshots need it: buckets, objects, uploads in parts with their rules and SHA-256 checksums, and what protects a bucket, which changes no
 * answer here. Left out: versions,
 * copies, ACLs, bucket policies, life cycles, bodies in signed chunks, every checksum but SHA-256.
 */
export function createS3(parts: ServiceParts): SimulatedS3 {
  const world: S3World = { ...parts, buckets: new Map() };
  return {
    signingName: 's3',
    operations: forExpectedOwner(world, operationsOf(world)),
    controls: {
      keys: (bucket) => [...bucketOf(world, bucket).objects.keys()].sort(),
      text: (bucket, key) => {
        const content = world.buckets.get(bucket)?.objects.get(key)?.content;
        return content && Buffer.from(content).toString('utf8');
      },
      openUploads: (bucket) => bucketOf(world, bucket).uploads.size,
      damage: (bucket, key) => {
        const { objects } = bucketOf(world, bucket);
        const object = objects.get(key);
        if (!object) throw new Error(`there is no object ${key} to damage`);
        const content = Uint8Array.from(object.content);
        content[0] = (content[0] ?? 0) ^ 1;
        objects.set(key, { ...object, content });
      },
    },
  };
}
