import { describe, expect, it } from 'vitest';
import { instancePolicy } from '../../../cli/pki/policy.ts';
import { drover } from './support.ts';

type Flags = Partial<Parameters<typeof instancePolicy>[0]>;

/** What the policy lets an instance do, as `ACTION RESOURCE`. */
const allowed = (flags: Flags): readonly string[] =>
  instancePolicy({ cluster: 'prod', role: 'control-plane', ...flags }).Statement.flatMap(
    ({ Action, Resource }) => [Resource].flat().map((one) => `${Action} ${one}`),
  );

describe('the policy of instances that read certificates', () => {
  it.each<[string, Flags, readonly string[]]>([
    [
      'members of etcd read none of the cluster’s own keys',
      { role: 'etcd' },
      ['/drover/prod/pki/etcd/*', '/drover/prod/etcd/members/*'],
    ],
    [
      'control planes with etcd beside read no bootstrap credential',
      { etcd: 'beside' },
      ['/drover/prod/pki/*', '/drover/prod/etcd/members/*'],
    ],
    [
      'other control planes read theirs, and no state of members',
      {},
      ['/drover/prod/pki/*', '/drover/prod/bootstrap-kubeconfig-control-plane'],
    ],
    [
      'another prefix takes the place of the usual one',
      { role: 'etcd', parameterPrefix: '/keys' },
      ['/keys/etcd/*', '/drover/prod/etcd/members/*'],
    ],
  ])('%s', (_, flags, names) => {
    expect(allowed(flags)).toEqual(names.map((name) => `ssm:GetParameter arn:aws:ssm:*:*:parameter${name}`));
  });

  it('names one prefix of the bucket, and no certificate in Parameter Store', () => {
    expect(allowed({ etcd: 'beside', s3: 's3://keys/prod/pki' })).toEqual([
      'ssm:GetParameter arn:aws:ssm:*:*:parameter/drover/prod/etcd/members/*',
      's3:GetObject arn:aws:s3:::keys/prod/pki/*',
    ]);
    expect(allowed({ role: 'etcd', s3: 's3://keys/prod/pki' })).toContain(
      's3:GetObject arn:aws:s3:::keys/prod/pki/etcd/*',
    );
  });

  it('decrypts only these parameters, and objects only through S3', () => {
    const key = 'arn:aws-cn:kms:cn-north-1:123456789012:key/ID';
    const decrypting = (s3?: string) =>
      instancePolicy({
        cluster: 'prod',
        role: 'etcd',
        kmsKey: [key],
        region: 'cn-north-1',
        ...(s3 !== undefined && { s3 }),
      }).Statement.filter(({ Action }) => Action === 'kms:Decrypt');
    const ofParameters = {
      'kms:ViaService': 'ssm.cn-north-1.amazonaws.com.cn',
      'kms:EncryptionContext:PARAMETER_ARN': [
        'arn:aws-cn:ssm:cn-north-1:*:parameter/drover/prod/pki/etcd/*',
        'arn:aws-cn:ssm:cn-north-1:*:parameter/drover/prod/etcd/members/*',
      ],
    };
    expect(decrypting()).toMatchObject([{ Resource: [key], Condition: { StringLike: ofParameters } }]);
    expect(decrypting('s3://keys/pki')).toMatchObject([
      {},
      {
        Resource: [key],
        Condition: { StringLike: { 'kms:ViaService': 's3.cn-north-1.amazonaws.com.cn' } },
      },
    ]);
  });

  it('is limited to the region and the account that are given', async () => {
    const line =
      'pki policy --cluster prod --role etcd --s3 s3://keys/pki --account 123456789012 --region eu-west-1';
    const { Statement } = JSON.parse((await drover(line)).stdout);
    expect(Statement[0].Resource).toEqual([
      'arn:aws:ssm:eu-west-1:123456789012:parameter/drover/prod/etcd/members/*',
    ]);
    expect(Statement[1].Condition).toEqual({ StringEquals: { 'aws:ResourceAccount': '123456789012' } });
  });

  it.each([
    ['--role etcd', 'the cluster is missing'],
    ['--cluster prod', '--role'],
    ['--cluster prod --role etcd --etcd beside', '--etcd beside belongs to --role control-plane'],
    ['--cluster prod --role etcd --s3 s3://keys/pki --parameter-prefix /x', 'not both'],
    ['--cluster prod --role etcd --kms-key alias/prod', 'the ARN of a key'],
  ])('is not printed for %s', async (flags, why) => {
    expect(await drover(`pki policy ${flags}`)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(why),
    });
  });
});
