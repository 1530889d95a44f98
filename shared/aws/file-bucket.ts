import {
  GetBucketEncryptionCommand,
  GetObjectCommand,
  GetPublicAccessBlockCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { hasCode, required } from './errors.ts';
import type { BucketPlace } from './snapshot-bucket.ts';

/** What protects every object of a bucket. */
export interface BucketProtection {
  /** The algorithm of the default encryption, such as `AES256` or `aws:kms`; undefined if there is none. */
  readonly encryption: string | undefined;
  /** Whether all four settings of the bucket's public access block are on. */
  readonly blocksPublicAccess: boolean;
}

/** Small files in a bucket of S3. Every method rejects with the errors of the SDK. */
export interface FileBucket {
  protection(): Promise<BucketProtection>;
  /** Undefined if there is no such object, which S3 says only to principals that may list the bucket. */
  read(key: string): Promise<string | undefined>;
  /** Encrypted as the bucket says, or with the KMS key. */
  write(file: { readonly key: string; readonly value: string; readonly keyId?: string }): Promise<void>;
  /** The keys that begin with the prefix; none is read. */
  list(prefix: string): Promise<readonly string[]>;
}

/** A bucket over its API. */
export function createFileBucket(client: S3Client, { bucket, owner }: BucketPlace): FileBucket {
  const inBucket = { Bucket: bucket, ...(owner !== undefined && { ExpectedBucketOwner: owner }) };

  const encryption = async (): Promise<string | undefined> => {
    const answer = await unlessMissing('ServerSideEncryptionConfigurationNotFoundError', () =>
      client.send(new GetBucketEncryptionCommand(inBucket)),
    );
    const [rule] = answer?.ServerSideEncryptionConfiguration?.Rules ?? [];
    return rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm;
  };

  const blocksPublicAccess = async (): Promise<boolean> => {
    const answer = await unlessMissing('NoSuchPublicAccessBlockConfiguration', () =>
      client.send(new GetPublicAccessBlockCommand(inBucket)),
    );
    const { BlockPublicAcls, BlockPublicPolicy, IgnorePublicAcls, RestrictPublicBuckets } =
      answer?.PublicAccessBlockConfiguration ?? {};
    return [BlockPublicAcls, BlockPublicPolicy, IgnorePublicAcls, RestrictPublicBuckets].every(Boolean);
  };

  return {
    protection: async () => ({
      encryption: await encryption(),
      blocksPublicAccess: await blocksPublicAccess(),
    }),
    read: async (key) => {
      const answer = await unlessMissing('NoSuchKey', () =>
        client.send(new GetObjectCommand({ ...inBucket, Key: key })),
      );
      if (answer === undefined) return undefined;
      return await required(answer.Body, { name: 'Body', $metadata: answer.$metadata }).transformToString();
    },
    write: async ({ key, value, keyId }) => {
      await client.send(
        new PutObjectCommand({
          ...inBucket,
          Key: key,
          Body: Buffer.from(value),
          ContentType: 'application/x-pem-file',
          ...(keyId !== undefined && { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: keyId }),
        }),
      );
    },
    list: async (prefix) => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { ...inBucket, Prefix: prefix },
      ))
        keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
      return keys;
    },
  };
}

async function unlessMissing<Answer>(code: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (hasCode(error, code)) return undefined;
    throw error;
  }
}
