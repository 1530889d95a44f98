import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../../scripts/deployment/template-plugin.ts';
import { chosenResources } from '../support/conditions.ts';

interface Statement {
  readonly Sid: string;
  readonly Action: unknown;
  readonly Resource: unknown;
  readonly Condition: unknown;
}

interface Policy {
  readonly Properties: {
    readonly Roles: readonly { readonly Ref: string }[];
    readonly PolicyDocument: { readonly Statement: readonly Statement[] };
  };
}

const { resources, owner } = createRequire(import.meta.url)('../../deploy/snapshots.cjs') as {
  readonly resources: (osls: object) => Promise<{ readonly Resources: Resources }>;
  readonly owner: (osls: object) => Promise<unknown>;
};

const etcd = {
  etcdDomain: 'etcd.example.internal',
  etcdMode: 'members',
  etcdSnapshots: 's3://prod-etcd/drover/prod',
  etcdSnapshotBucketOwner: '',
  etcdSnapshotKmsKey: '',
};

const oslsWith = (parameters: Partial<typeof etcd>) => ({
  resolveVariable: async (name: string) =>
    ({ ...etcd, ...parameters })[name.replace('param:', '') as keyof typeof etcd],
});

async function policiesWith(parameters: Partial<typeof etcd>): Promise<Readonly<Record<string, Policy>>> {
  const { Resources } = await resources(oslsWith(parameters));
  return chosenResources(Resources, { ...etcd, ...parameters }) as unknown as Readonly<
    Record<string, Policy>
  >;
}

describe('the rights to the bucket of snapshots', () => {
  it.each([
    ['Drover manages no etcd', { etcdDomain: '' }],
    ['Drover keeps only records', { etcdMode: 'dns-only' }],
    ['something else keeps backups', { etcdSnapshots: 'elsewhere' }],
    ['nothing says where snapshots are kept', { etcdSnapshots: '' }],
  ])('are none if %s', async (_, parameters) => {
    expect(await policiesWith(parameters)).toEqual({});
  });

  it('reach one prefix of one bucket of the own account', async () => {
    const policies = await policiesWith({});
    const own = { 'aws:ResourceAccount': { Ref: 'AWS::AccountId' } };
    const rolesOf = (name: string) => policies[name]?.Properties.Roles.map(({ Ref }) => Ref);
    expect(rolesOf('EtcdSnapshotList')).toEqual(['EtcdMembershipRole', 'EtcdSnapshotRole']);
    expect(rolesOf('EtcdSnapshotKeeping')).toEqual(['EtcdSnapshotRole']);
    expect(Object.values(policies).flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual([
      {
        Sid: 'ListSnapshots',
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:s3:::prod-etcd' },
        Condition: { StringEquals: own, StringLike: { 's3:prefix': 'drover/prod/*' } },
      },
      {
        Sid: 'KeepSnapshots',
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'],
        Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:s3:::prod-etcd/drover/prod/*' },
        Condition: { StringEquals: own },
      },
    ]);
  });

  it('name another account if the bucket belongs to it', async () => {
    expect(await owner(oslsWith({ etcdSnapshotBucketOwner: '210987654321' }))).toBe('210987654321');
  });

  it('include the key of the snapshots, only through S3', async () => {
    const etcdSnapshotKmsKey = 'arn:aws:kms:eu-west-1:123456789012:key/7d4a';
    const policies = await policiesWith({ etcdSnapshotKmsKey });
    expect(policies['EtcdSnapshotKeeping']?.Properties.PolicyDocument.Statement[1]).toMatchObject({
      Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
      Resource: etcdSnapshotKmsKey,
      Condition: { StringLike: { 'kms:ViaService': 's3.*' } },
    });
  });

  it.each([
    [
      { etcdSnapshots: 's3://prod-etcd' },
      /etcdSnapshots is s3:\/\/prod-etcd: it takes s3:\/\/BUCKET\/PREFIX/,
    ],
    [{ etcdSnapshotKmsKey: 'alias/etcd' }, /the ARN of a key, not of an alias/],
  ])('are refused for %j', async (parameters, message) => {
    await expect(resources(oslsWith(parameters))).rejects.toThrow(message);
  });
});
