import { ssmClient } from '../../shared/aws/clients.ts';
import type { AwsConnection } from '../../shared/aws/connection.ts';
import { type BucketProtection, createFileBucket, type FileBucket } from '../../shared/aws/file-bucket.ts';
import { createParameterStore } from '../../shared/aws/parameters.ts';
import { s3Client } from '../../shared/aws/s3-client.ts';
import { accountIdOf } from '../account-id.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { type S3Address, s3AddressOf } from './s3-address.ts';

export interface StoredFile {
  /** A parameter, or the address of an object. */
  readonly name: string;
  readonly value: string;
  readonly keyId?: string;
}

/** Where files are published. */
export interface Places {
  /** Undefined if there is none of that name. */
  read(name: string): Promise<string | undefined>;
  write(file: StoredFile): Promise<void>;
}

export interface BucketFlags {
  /** `s3://BUCKET/PREFIX`. */
  readonly s3?: string;
  readonly bucketOwner?: string;
}

/** Parameter Store, and the bucket of the flags. Names that begin with `s3://` are objects. */
export async function placesOf(flags: BucketFlags, connection: AwsConnection): Promise<Places> {
  const parameters = createParameterStore(ssmClient(connection));
  const address = flags.s3 === undefined ? undefined : s3AddressOf(flags.s3);
  const bucket = address && (await protectedBucket(address, flags, connection));
  const keyOf = (name: string): string | undefined =>
    address && name.startsWith(`s3://${address.bucket}/`)
      ? name.slice(`s3://${address.bucket}/`.length)
      : undefined;
  return {
    read: async (name) => {
      const key = keyOf(name);
      return bucket && key !== undefined ? await bucket.read(key) : (await parameters.read(name))?.value;
    },
    write: async ({ name, ...file }) => {
      const key = keyOf(name);
      await (bucket && key !== undefined
        ? bucket.write({ key, ...file })
        : parameters.write({ name, ...file }));
    },
  };
}

/** The bucket, which another account may own only if the flag names that account. */
export async function bucketAt(
  { bucket }: S3Address,
  { bucketOwner }: BucketFlags,
  connection: AwsConnection,
): Promise<FileBucket> {
  const owner = bucketOwner ?? (await accountIdOf(connection));
  return createFileBucket(s3Client(connection), { bucket, ...(owner !== undefined && { owner }) });
}

/** @throws CliError if private keys must not be put into it. */
async function protectedBucket(
  address: S3Address,
  flags: BucketFlags,
  connection: AwsConnection,
): Promise<FileBucket> {
  const bucket = await bucketAt(address, flags, connection);
  const problems = bucketProblems(address.bucket, await bucket.protection());
  if (problems.length > 0)
    throw new CliError(`nothing was uploaded:\n${problems.join('\n')}`, exitCodes.failed);
  return bucket;
}

/** Why private keys must not be put into the bucket, with the command that changes that. Pure. */
export function bucketProblems(bucket: string, protection: BucketProtection): readonly string[] {
  return [
    ...(protection.encryption === undefined
      ? [
          `the bucket ${bucket} has no default encryption: run aws s3api put-bucket-encryption --bucket ${bucket} --server-side-encryption-configuration '{"Rules":[{"ApplyServerSideEncryptionByDefault":{"SSEAlgorithm":"aws:kms"}}]}'`,
        ]
      : []),
    ...(protection.blocksPublicAccess
      ? []
      : [
          `the bucket ${bucket} does not block public access: run aws s3api put-public-access-block --bucket ${bucket} --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true`,
        ]),
  ];
}
