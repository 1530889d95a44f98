import { type Requirement, type ServiceRule, text } from './rule.ts';

/** Operations that ask for the permission of another, or that look at the bucket (S3 user guide, "Required permissions"). */
const actions: Readonly<Record<string, string>> = {
  CompleteMultipartUpload: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  HeadBucket: 'ListBucket',
  HeadObject: 'GetObject',
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
  UploadPart: 'PutObject',
};

/** Amazon S3: buckets and objects have no account and no region in their ARNs. */
export const s3Rule: ServiceRule = ({ operation, input, accountId, region }): readonly Requirement[] => {
  if (operation === 'ListBuckets') return [{ action: 's3:ListAllMyBuckets', resource: '*' }];
  const bucket = `arn:aws:s3:::${text(input, 'Bucket') ?? ''}`;
  if (operation === 'DeleteObjects')
    return keysOf(input).map((key) => ({ action: 's3:DeleteObject', resource: `${bucket}/${key}` }));
  const key = text(input, 'Key');
  const action = `s3:${actions[operation] ?? operation}`;
  const prefix = text(input, 'Prefix');
  const context = {
    'aws:ResourceAccount': accountId,
    ...(operation.startsWith('ListObjects') && prefix !== undefined && { 's3:prefix': prefix }),
  };
  const own = { action, resource: key === undefined ? bucket : `${bucket}/${key}`, context };
  const kmsKey = text(input, 'SSEKMSKeyId');
  if (!kmsKey?.startsWith('arn:')) return [own];
  // An upload in parts is encrypted part by part, and put together (S3 user guide, "Protecting data with server-side encryption").
  const keyActions =
    operation === 'CreateMultipartUpload' ? ['GenerateDataKey', 'Decrypt'] : ['GenerateDataKey'];
  const throughS3 = { 'kms:ViaService': `s3.${region}.amazonaws.com` };
  return [
    own,
    ...keyActions.map((name) => ({ action: `kms:${name}`, resource: kmsKey, context: throughS3 })),
  ];
};

/** Each key that a DeleteObjects names. */
function keysOf({ Delete }: Readonly<Record<string, unknown>>): readonly string[] {
  const { Objects = [] } = (Delete ?? {}) as { readonly Objects?: readonly { readonly Key?: string }[] };
  return Objects.flatMap(({ Key }) => Key ?? []);
}
