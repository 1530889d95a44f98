import { CreateAutoScalingGroupCommand, UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateVpcCommand,
  DescribeLaunchTemplateVersionsCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { CreateRoleCommand, GetRoleCommand } from '@aws-sdk/client-iam';
import { CreateHostedZoneCommand } from '@aws-sdk/client-route-53';
import { CreateScheduleCommand, CreateScheduleGroupCommand } from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, ListQueuesCommand, ListQueueTagsCommand } from '@aws-sdk/client-sqs';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { createAccountClients } from '../../../real/account/clients.ts';
import { roleBoundary } from '../../../real/account/commands.ts';
import type { LedgerEntry } from '../../../real/account/ledger.ts';
import { markTag } from '../../../real/account/mark.ts';
import { RefusedByRun, supervised } from '../../../real/account/supervised.ts';
import { createSandbox } from '../../../src/index.ts';

const run = 'abcd1234';
const mine = (name: string): string => `drover-account-${run}-${name}`;

function opened() {
  const sandbox = createSandbox();
  const entries: LedgerEntry[] = [];
  const open = () => createAccountClients({ ...sandbox.aws(), maxAttempts: 1 });
  const clients = supervised(open(), { run, ledger: { add: (entry) => entries.push(entry) } });
  return { sandbox, entries, clients, plain: open() };
}

test('what is made has the tag of the run, and is in the ledger', async () => {
  const { clients, plain, entries } = opened();
  const { QueueUrl } = await clients.sqs.send(
    new CreateQueueCommand({ QueueName: mine('q'), tags: { role: 'work' } }),
  );
  const { Vpc } = await clients.ec2.send(new CreateVpcCommand({ CidrBlock: '10.255.0.0/16' }));
  expect((await plain.sqs.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({
    role: 'work',
    [markTag]: run,
  });
  expect(Vpc?.Tags).toEqual([{ Key: markTag, Value: run }]);
  expect(entries).toEqual([
    { event: 'intent', kind: 'queue', name: mine('q') },
    { event: 'made', kind: 'queue', name: mine('q') },
    { event: 'intent', kind: 'VPC' },
    { event: 'made', kind: 'VPC' },
  ]);
});

test('instances of a launch template get the tag with their volumes, and no surplus CPU credits', async () => {
  const { clients, plain } = opened();
  const LaunchTemplateName = mine('t');
  const data = { InstanceType: 't4g.nano' as const };
  await clients.ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData: data }));
  const { LaunchTemplateVersions } = await plain.ec2.send(
    new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions: ['1'] }),
  );
  const shown = LaunchTemplateVersions?.[0]?.LaunchTemplateData;
  expect(shown?.TagSpecifications?.map(({ ResourceType }) => ResourceType)).toEqual([
    'instance',
    'volume',
    'network-interface',
  ]);
  expect(shown?.InstanceType).toBe('t4g.nano');
});

test('an operation that is not listed is not sent', async () => {
  const { clients, sandbox } = opened();
  const launch = clients.ec2.send(new RunInstancesCommand({ MinCount: 1, MaxCount: 1 }));
  await expect(launch).rejects.toThrow(RefusedByRun);
  expect(sandbox.account.ec2.operations.DescribeInstances({}).Reservations).toEqual([]);
});

test.each(['work', 'drover-account-', `drover-account-zzzz9999-work`, `x-drover-account-${run}-`])(
  'a queue named %s is not made: the sweep of the run would not find it',
  async (QueueName) => {
    const { clients, plain, entries } = opened();
    await expect(clients.sqs.send(new CreateQueueCommand({ QueueName }))).rejects.toThrow(/begins with/);
    expect((await plain.sqs.send(new ListQueuesCommand({}))).QueueUrls ?? []).toEqual([]);
    expect(entries).toEqual([]);
  },
);

test('a parameter may begin with a slash before the prefix', async () => {
  const { clients } = opened();
  const put = (Name: string) =>
    clients.ssm.send(new PutParameterCommand({ Name, Value: 'x', Type: 'String' }));
  await put(`/${mine('p')}/below`);
  await put(mine('p'));
  await expect(put(`/other/${mine('p')}`)).rejects.toThrow(/begins with/);
});

test('a group of more than ten instances is not made, and no group grows to them', async () => {
  const { clients } = opened();
  const group = { AutoScalingGroupName: mine('g'), MinSize: 0, MaxSize: 11 };
  await expect(clients.autoscaling.send(new CreateAutoScalingGroupCommand(group))).rejects.toThrow(
    /at most 10/,
  );
  await expect(clients.autoscaling.send(new UpdateAutoScalingGroupCommand(group))).rejects.toThrow(
    /at most 10/,
  );
});

test('the ledger distinguishes a refusal by AWS from a lost response', async () => {
  const { clients, entries } = opened();
  const invalid = new CreateVpcCommand({ CidrBlock: '10.255.0.0/29' });
  await expect(clients.ec2.send(invalid)).rejects.toThrow(/invalid/);
  expect(entries.at(-1)).toMatchObject({ event: 'refused', error: 'InvalidVpc.Range' });
  const { sandbox } = opened();
  const { requestHandler } = sandbox.aws();
  const cut = { ...requestHandler, handle: () => Promise.reject(new Error('socket hang up')) };
  const lost = supervised(
    createAccountClients({ ...sandbox.aws(), requestHandler: cut as never, maxAttempts: 1 }),
    { run, ledger: { add: (entry) => entries.push(entry) } },
  );
  await expect(lost.ec2.send(new CreateVpcCommand({ CidrBlock: '10.255.0.0/16' }))).rejects.toThrow(
    /hang up/,
  );
  expect(entries.at(-1)).toMatchObject({ event: 'unknown' });
});

test('a zone without a VPC is public, which the sweep does not remove: it is refused', async () => {
  const { clients, entries } = opened();
  const CallerReference = 'once';
  const command = new CreateHostedZoneCommand({ Name: mine('zone.internal'), CallerReference });
  await expect(clients.route53.send(command)).rejects.toThrow(RefusedByRun);
  expect(entries).toEqual([]);
});

test('a role of a run gets the boundary, whatever the case asks for', async () => {
  const { clients, plain } = opened();
  const AssumeRolePolicyDocument = '{"Version":"2012-10-17","Statement":[]}';
  const RoleName = mine('r');
  const PermissionsBoundary = 'arn:aws:iam::aws:policy/AdministratorAccess';
  await clients.iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument, PermissionsBoundary }));
  const { Role } = await plain.iam.send(new GetRoleCommand({ RoleName }));
  expect(Role?.PermissionsBoundary?.PermissionsBoundaryArn).toBe(roleBoundary);
});

test('a schedule may have any name in a schedule group of the run, and in no other', async () => {
  const { clients } = opened();
  const schedule = (GroupName?: string) =>
    clients.scheduler.send(
      new CreateScheduleCommand({
        Name: 'morning',
        GroupName,
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: 'arn:aws:sqs:eu-west-1:123456789012:q', RoleArn: 'arn:aws:iam::123456789012:role/r' },
      }),
    );
  await clients.scheduler.send(new CreateScheduleGroupCommand({ Name: mine('group') }));
  await schedule(mine('group'));
  await expect(schedule()).rejects.toThrow(/begins with/);
});
