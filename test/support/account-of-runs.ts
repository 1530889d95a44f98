import {
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateLaunchTemplateCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateTargetGroupCommand,
  DescribeTargetGroupsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { ListRulesCommand, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateRoleCommand, ListRolesCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListHostedZonesCommand,
} from '@aws-sdk/client-route-53';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  ListScheduleGroupsCommand,
  ListSchedulesCommand,
} from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { DescribeParametersCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import { createSandbox } from '@drover/cloud-sandbox';
import { type AccountClients, createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import type { Ledger, LedgerEntry } from '@drover/cloud-sandbox/real/account/ledger.ts';
import { prefixOf } from '@drover/cloud-sandbox/real/account/mark.ts';
import { deploy } from '../../scripts/account/deploy.ts';
import type { Network } from '../../scripts/account/network.ts';
import { planRun } from '../../scripts/account/plan.ts';
import type { Deployment } from '../../scripts/account/release-stack.ts';
import { type RunOptions, type RunResult, run } from '../../scripts/account/run.ts';
import { suites } from '../../scripts/account/suites.ts';

/** How the calls of a process are cut: the `at`th call and, for an outage, those after it. */
export interface Cut {
  readonly at: number;
  /** `before` and `after`: the connection breaks before or after AWS executed the call. `killed`: so does the process. */
  readonly how: 'before' | 'after' | 'killed-before' | 'killed-after';
  /** So many calls fail in a row. Default 1. */
  readonly calls?: number;
}

export const runId = 'abcd1234';
const region = 'eu-west-1' as const;

const lost = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** A simulated account, and runs in it with the rights of their plan only. */
export function createAccountOfRuns() {
  const sandbox = createSandbox({ region });
  const { policy } = planRun({ suites, region, maximumDollars: 10 });
  const { accessKeyId, secretAccessKey } = sandbox.account.iam.putUser({
    userName: 'runner',
    policies: [policy],
  });
  let calls = 0;
  /** Clients of one process. It hears nothing any more once it is killed. */
  const clientsOf = (cut: Cut | undefined, onKilled: () => void): AccountClients => {
    const { awsRequestHandler: requestHandler } = sandbox.doors('runner');
    const cutting: typeof requestHandler = {
      ...requestHandler,
      handle: async (request, options) => {
        calls += 1;
        if (cut === undefined || calls < cut.at) return await requestHandler.handle(request, options);
        const isKilled = cut.how.startsWith('killed');
        if (!isKilled && calls >= cut.at + (cut.calls ?? 1))
          return await requestHandler.handle(request, options);
        if (cut.how.endsWith('after') && calls === cut.at) await requestHandler.handle(request, options);
        if (!isKilled) throw lost();
        onKilled();
        return await new Promise(() => undefined);
      },
    };
    const credentials = { accessKeyId, secretAccessKey };
    return createAccountClients({ region, credentials, requestHandler: cutting, maxAttempts: 1 });
  };
  return {
    sandbox,
    calls: () => calls,
    clients: () => clientsOf(undefined, () => undefined),
    wait: (seconds: number) => sandbox.pass(seconds),
    /** A run; undefined if it was killed. */
    begin: async (cut?: Cut, options: Partial<RunOptions> = {}) => {
      const entries: LedgerEntry[] = [];
      const said: string[] = [];
      const ledger: Ledger = { add: (entry) => entries.push(entry) };
      const killed = Promise.withResolvers<undefined>();
      calls = 0;
      const running = run({
        run: runId,
        region,
        suites: suites.filter(({ name }) => name === 'hooks' || name === 'api'),
        openClients: () => clientsOf(cut, () => killed.resolve(undefined)),
        openLedger: () => ledger,
        confirm: async () => true,
        deployRelease: (clients) =>
          deploy(clients, smallRelease, {
            region,
            endpoint: 'http://sandbox',
            wait: (seconds) => sandbox.pass(seconds),
            say: (line) => said.push(line),
            signal: options.signal ?? new AbortController().signal,
          }),
        runSuite: makeOneOfEach(sandbox),
        signal: new AbortController().signal,
        now: () => sandbox.clock.now(),
        wait: (seconds) => sandbox.pass(seconds),
        say: (line) => said.push(line),
        sweepRounds: 200,
        ...options,
      });
      const result: RunResult | undefined = await Promise.race([running, killed.promise]);
      return { result, entries, said };
    },
    leftInAccount: () => leftIn(sandbox),
  };
}

/** A release of the types that the sandbox makes: what its stack takes along, what the template retains, and what Drover would write. */
const releaseName = `${prefixOf({ run: runId })}release`;
const smallTemplate = {
  Resources: {
    InboxQueue: { Type: 'AWS::SQS::Queue', DeletionPolicy: 'RetainExceptOnCreate' },
    IntakeRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: { 'Fn::Sub': '${AWS::StackName}-intake' },
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
      },
    },
    IntakeLogGroup: {
      Type: 'AWS::Logs::LogGroup',
      DeletionPolicy: 'Retain',
      Properties: { LogGroupName: { 'Fn::Sub': '/aws/lambda/${AWS::StackName}-intake' } },
    },
    Credential: {
      Type: 'AWS::SSM::Parameter',
      DeletionPolicy: 'Retain',
      Properties: { Name: `/drover/account-${runId}-release/credential`, Type: 'String', Value: 'x' },
    },
  },
};
const smallRelease: Deployment = {
  bucket: releaseName,
  artifacts: [{ key: 'a.template.json', content: () => Buffer.from(JSON.stringify(smallTemplate)) }],
  stacks: [{ name: releaseName, templateKey: 'a.template.json', parameters: {} }],
};

/** A suite with each kind of resource, and what keeps groups alive: instances that wait, a warm pool, suspended processes. */
const makeOneOfEach =
  (sandbox: ReturnType<typeof createSandbox>): RunOptions['runSuite'] =>
  async ({ deploysRelease }, { network, clients }) => {
    if (deploysRelease || network === undefined) return [];
    const name = (what: string): string => `${prefixOf({ run: runId })}${what}`;
    await makeGroup(clients, { network, name });
    await clients.elasticloadbalancing.send(
      new CreateTargetGroupCommand({ Name: name('t'), Port: 80, Protocol: 'HTTP', VpcId: network.vpcId }),
    );
    await clients.sqs.send(new CreateQueueCommand({ QueueName: name('queue') }));
    await clients.ssm.send(new PutParameterCommand({ Name: `/${name('p')}`, Value: 'x', Type: 'String' }));
    await makeZone(clients, { network, name });
    await makeEvents(clients, name);
    await sandbox.pass(60);
    return [];
  };

/** A rule with a target; a schedule of its own, and one in a group; the role that they run with. */
async function makeEvents(
  { events, iam, scheduler }: AccountClients,
  name: (what: string) => string,
): Promise<void> {
  const Arn = `arn:aws:sqs:${region}:123456789012:${name('queue')}`;
  await events.send(
    new PutRuleCommand({ Name: name('rule'), EventPattern: '{"source":["aws.autoscaling"]}' }),
  );
  await events.send(new PutTargetsCommand({ Rule: name('rule'), Targets: [{ Id: 'queue', Arn }] }));
  const policy = (statement: object): string =>
    JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });
  const trust = policy({ Principal: { Service: 'scheduler.amazonaws.com' }, Action: 'sts:AssumeRole' });
  const { Role } = await iam.send(
    new CreateRoleCommand({ RoleName: name('role'), AssumeRolePolicyDocument: trust }),
  );
  const PolicyDocument = policy({ Action: 'sqs:SendMessage', Resource: Arn });
  await iam.send(new PutRolePolicyCommand({ RoleName: name('role'), PolicyName: 'send', PolicyDocument }));
  await scheduler.send(new CreateScheduleGroupCommand({ Name: name('group') }));
  const schedule = {
    ScheduleExpression: 'rate(1 hour)',
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: { Arn, RoleArn: Role?.Arn },
  };
  await scheduler.send(new CreateScheduleCommand({ Name: 'hourly', GroupName: name('group'), ...schedule }));
  await scheduler.send(new CreateScheduleCommand({ Name: name('schedule'), ...schedule }));
}

async function makeZone(
  { route53 }: AccountClients,
  { network, name }: { readonly network: Network; readonly name: (what: string) => string },
): Promise<void> {
  const zone = `${name('zone')}.internal`;
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({
      Name: zone,
      CallerReference: name('zone'),
      VPC: { VPCId: network.vpcId, VPCRegion: region },
    }),
  );
  const ResourceRecords = [{ Value: '10.255.0.4' }];
  const ResourceRecordSet = { Name: `a.${zone}`, Type: 'A' as const, TTL: 60, ResourceRecords };
  await route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: HostedZone?.Id,
      ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet }] },
    }),
  );
}

async function makeGroup(
  { autoscaling, ec2 }: AccountClients,
  { network, name }: { readonly network: Network; readonly name: (what: string) => string },
): Promise<void> {
  const template = { ImageId: network.imageId, InstanceType: 't4g.nano' as const };
  const LaunchTemplateName = name('template');
  await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData: template }));
  const inVpc = [{ Name: 'vpc-id', Values: [network.vpcId] }];
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ Filters: inVpc }));
  const AutoScalingGroupName = name('workers');
  await autoscaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName,
      MinSize: 0,
      MaxSize: 4,
      DesiredCapacity: 2,
      LaunchTemplate: { LaunchTemplateName, Version: '$Latest' },
      VPCZoneIdentifier: Subnets.map(({ SubnetId }) => SubnetId).join(','),
    }),
  );
  const LifecycleTransition = 'autoscaling:EC2_INSTANCE_TERMINATING';
  await autoscaling.send(
    new PutLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName: 'drain', LifecycleTransition }),
  );
  await autoscaling.send(new PutWarmPoolCommand({ AutoScalingGroupName, MinSize: 1 }));
  await autoscaling.send(
    new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['Terminate'] }),
  );
}

/** What the account has beyond a new one: read without any mark. */
async function leftIn(sandbox: ReturnType<typeof createSandbox>): Promise<readonly string[]> {
  const clients = createAccountClients({ ...sandbox.aws(), maxAttempts: 1 });
  const { autoscaling, ec2, elasticloadbalancing, events, iam, route53, scheduler, sqs, ssm } = clients;
  const { Stacks = [] } = await clients.cloudformation.send(new DescribeStacksCommand({}));
  const { Buckets = [] } = await clients.s3.send(new ListBucketsCommand({}));
  const { logGroups = [] } = await clients.logs.send(new DescribeLogGroupsCommand({}));
  const { AutoScalingGroups = [] } = await autoscaling.send(new DescribeAutoScalingGroupsCommand({}));
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
  const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
  const { TargetGroups = [] } = await elasticloadbalancing.send(new DescribeTargetGroupsCommand({}));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const { Parameters = [] } = await ssm.send(new DescribeParametersCommand({}));
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
  const { Rules = [] } = await events.send(new ListRulesCommand({}));
  const { Roles = [] } = await iam.send(new ListRolesCommand({}));
  const { ScheduleGroups = [] } = await scheduler.send(new ListScheduleGroupsCommand({}));
  const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({}));
  const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
  const alive = Reservations.flatMap(({ Instances = [] }) => Instances).filter(
    ({ State }) => State?.Name !== 'terminated',
  );
  return [
    ...AutoScalingGroups.map(({ AutoScalingGroupName }) => AutoScalingGroupName),
    ...alive.map(({ InstanceId }) => InstanceId),
    ...LaunchTemplates.map(({ LaunchTemplateName }) => LaunchTemplateName),
    ...TargetGroups.map(({ TargetGroupName }) => TargetGroupName),
    ...QueueUrls,
    ...Stacks.map(({ StackName }) => StackName),
    ...Buckets.map(({ Name }) => Name),
    ...logGroups.map(({ logGroupName }) => logGroupName),
    ...[...Rules, ...Schedules].map(({ Name }) => Name),
    ...Roles.map(({ RoleName }) => RoleName),
    // Each account has the default group.
    ...ScheduleGroups.slice(1).map(({ Name }) => Name),
    ...HostedZones.map(({ Name }) => Name),
    ...Parameters.map(({ Name }) => Name),
    // A new account has a VPC with three subnets.
    ...Subnets.slice(3).map(({ SubnetId }) => SubnetId),
    ...Vpcs.slice(1).map(({ VpcId }) => VpcId),
  ].map(String);
}
