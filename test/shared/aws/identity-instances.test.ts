import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { IAMClient } from '@aws-sdk/client-iam';
import { createSandbox } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { createInstanceSource } from '../../../shared/aws/identity-instances.ts';

const roleArn = (name: string, accountId = '123456789012') => `arn:aws:iam::${accountId}:role/${name}`;
const profileArn = (name: string) => `arn:aws:iam::123456789012:instance-profile/${name}`;

function createAccount() {
  const sandbox = createSandbox();
  const { account } = sandbox;
  const settings = { ...sandbox.aws(), maxAttempts: 1 };
  account.iam.putRole({
    roleName: 'worker',
    policies: [],
    trustPolicy: { Version: '2012-10-17', Statement: [] },
  });
  const launch = (profile: string, count = 1) =>
    (
      account.ec2.operations.RunInstances({
        MinCount: count,
        MaxCount: count,
        ImageId: 'ami-0123456789abcdef0',
        InstanceType: 'm5.large',
        IamInstanceProfile: { Arn: profileArn(profile) },
      }).Instances ?? []
    ).map(({ InstanceId = '' }) => InstanceId);
  const source = createInstanceSource(new EC2Client(settings), new IAMClient(settings));
  return { sandbox, account, launch, source };
}

describe('the profiles of a role', () => {
  it('are found by its ARN, which STS gives without its path', async () => {
    const { source } = createAccount();
    expect(await source.listProfiles(roleArn('worker'))).toEqual([profileArn('worker')]);
    expect(await source.listProfiles(roleArn('team/worker'))).toEqual([profileArn('worker')]);
  });

  it('are none for a role that IAM does not know, and for one of that name in another account', async () => {
    const { source } = createAccount();
    expect(await source.listProfiles(roleArn('stranger'))).toEqual([]);
    expect(await source.listProfiles(roleArn('worker', '210987654321'))).toEqual([]);
  });

  it('are read page by page', async () => {
    const pages: (string | undefined)[] = [];
    const iam = {
      send: async ({ input }: { readonly input: { readonly Marker?: string } }) => {
        pages.push(input.Marker);
        const profile = (name: string) => ({ Arn: profileArn(name), Roles: [{ Arn: roleArn('worker') }] });
        return input.Marker === undefined
          ? { InstanceProfiles: [profile('one')], IsTruncated: true, Marker: 'm', $metadata: {} }
          : { InstanceProfiles: [profile('two')], IsTruncated: false, $metadata: {} };
      },
    } as never;
    const source = createInstanceSource({} as never, iam);
    expect(await source.listProfiles(roleArn('worker'))).toEqual([profileArn('one'), profileArn('two')]);
    expect(pages).toEqual([undefined, 'm']);
  });

  it('are an error if something else than IAM answers, or IAM denies', async () => {
    const answering = (send: () => Promise<unknown>) => createInstanceSource({} as never, { send } as never);
    await expect(answering(async () => ({ $metadata: {} })).listProfiles(roleArn('a'))).rejects.toThrow(
      'without InstanceProfiles',
    );
    const denial = async () => Promise.reject(new Error('AccessDenied'));
    await expect(answering(denial).listProfiles(roleArn('a'))).rejects.toThrow('AccessDenied');
  });
});

describe('the instances with a profile', () => {
  it('are those that are pending or run, more than a page of them', async () => {
    const { account, launch, source, sandbox } = createAccount();
    const ids = launch('worker', 1200);
    launch('other');
    await sandbox.pass(60);
    account.ec2.operations.TerminateInstances({ InstanceIds: ids.slice(0, 1) });
    account.requests.reset();
    const listed = await source.listInstances([profileArn('worker')]);
    expect(listed.map(({ instanceId }) => instanceId).sort()).toEqual(ids.slice(1).sort());
    expect(listed.every(({ privateDnsName }) => privateDnsName?.startsWith('ip-'))).toBe(true);
    expect(account.requests.counts().get('ec2 DescribeInstances')?.calls).toBe(2);
  });

  it('are those of one VPC, if it is given: another one has the same private DNS names', async () => {
    const { launch, sandbox } = createAccount();
    const ids = launch('worker', 2);
    const settings = { ...sandbox.aws(), maxAttempts: 1 };
    const ec2 = new EC2Client(settings);
    const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: ids }));
    const own = Reservations[0]?.Instances?.[0]?.VpcId;
    const idsIn = async (vpcId: string | undefined) =>
      (
        await createInstanceSource(ec2, new IAMClient(settings), vpcId).listInstances([profileArn('worker')])
      ).map(({ instanceId }) => instanceId);
    expect(own).toMatch(/^vpc-/);
    expect((await idsIn(own)).sort()).toEqual(ids.toSorted());
    expect((await idsIn('')).sort()).toEqual(ids.toSorted());
    expect(await idsIn('vpc-0fedcba9876543210')).toEqual([]);
  });

  it('are asked for by 200 profiles at a time', async () => {
    const { account, source } = createAccount();
    await source.listInstances(Array.from({ length: 201 }, (_, number) => profileArn(`p${number}`)));
    expect(account.requests.counts().get('ec2 DescribeInstances')?.calls).toBe(2);
  });
});
