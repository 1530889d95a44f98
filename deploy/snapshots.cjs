/**
 * What the snapshots of etcd need of S3: nothing, unless Drover keeps them. The roles reach one prefix of one bucket of one account, and
 * one KMS key through S3.
 */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^\s/].*?)\/?$/;
const keyPattern = /^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/;

/** osls prints an error's stack, but only the message helps here. */
const refusal = (message) => Object.assign(new Error(message), { stack: message });

const allow = (Sid, Action, Resource, Condition) => ({ Sid, Effect: 'Allow', Action, Resource, Condition });

/** The statements for reading the list of snapshots and for keeping them. */
function statementsOf({ snapshots, owner, kmsKey }) {
  const [, bucket, prefix] = pattern.exec(snapshots) ?? [];
  if (!bucket) throw refusal(`etcdSnapshots is ${snapshots}: it takes s3://BUCKET/PREFIX, or elsewhere`);
  if (kmsKey && !keyPattern.test(kmsKey))
    throw refusal(`etcdSnapshotKmsKey is ${kmsKey}: it takes the ARN of a key, not of an alias`);
  const arn = `arn:\${AWS::Partition}:s3:::${bucket}`;
  const ofOwner = { 'aws:ResourceAccount': owner };
  const list = allow(
    'ListSnapshots',
    's3:ListBucket',
    { 'Fn::Sub': arn },
    {
      StringEquals: ofOwner,
      StringLike: { 's3:prefix': `${prefix}/*` },
    },
  );
  const actions = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'];
  const keep = allow(
    'KeepSnapshots',
    actions,
    { 'Fn::Sub': `${arn}/${prefix}/*` },
    { StringEquals: ofOwner },
  );
  // An upload in parts needs both.
  const encrypt = allow('EncryptSnapshots', ['kms:GenerateDataKey', 'kms:Decrypt'], kmsKey, {
    StringLike: { 'kms:ViaService': 's3.*' },
  });
  return { list, keep, encrypt };
}

const policy = (Roles, Statement) => ({
  Type: 'AWS::IAM::ManagedPolicy',
  Condition: 'KeepsSnapshots',
  Properties: {
    Roles: Roles.map((Ref) => ({ Ref })),
    PolicyDocument: { Version: '2012-10-17', Statement },
  },
});

const owner = async ({ resolveVariable }) => {
  const named = await resolveVariable('param:etcdSnapshotBucketOwner');
  return named ? String(named) : { Ref: 'AWS::AccountId' };
};

async function resources({ resolveVariable }) {
  const snapshots = await resolveVariable('param:etcdSnapshots');
  const isKept =
    (await resolveVariable('param:etcdDomain')) !== '' &&
    (await resolveVariable('param:etcdMode')) !== 'dns-only' &&
    snapshots !== '' &&
    snapshots !== 'elsewhere';
  if (!isKept) return { Resources: {} };
  const kmsKey = await resolveVariable('param:etcdSnapshotKmsKey');
  const { list, keep, encrypt } = statementsOf({
    snapshots,
    owner: await owner({ resolveVariable }),
    kmsKey,
  });
  const encryptIfKeyed = { 'Fn::If': ['HasEtcdSnapshotKmsKey', encrypt, { Ref: 'AWS::NoValue' }] };
  return {
    Resources: {
      EtcdSnapshotList: policy(['EtcdMembershipRole', 'EtcdSnapshotRole'], [list]),
      EtcdSnapshotKeeping: policy(['EtcdSnapshotRole'], [keep, encryptIfKeyed]),
    },
  };
}

module.exports = { statementsOf, owner, resources };
