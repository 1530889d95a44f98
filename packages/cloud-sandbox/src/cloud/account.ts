import { type AutoScalingOptions, createAutoScaling } from '../aws/auto-scaling/auto-scaling.ts';
import { createCloudFormation } from '../aws/cloudformation/cloudformation.ts';
import { createMonitoring } from '../aws/cloudwatch/monitoring.ts';
import { createEc2, type Ec2Options } from '../aws/ec2/ec2.ts';
import { createEks } from '../aws/eks/eks.ts';
import { createElasticLoadBalancing } from '../aws/elastic-load-balancing/elastic-load-balancing.ts';
import { createEvents } from '../aws/events/events.ts';
import { createAwsFront } from '../aws/front/front.ts';
import { createRequestMeter, type RequestLimits } from '../aws/front/request-limits.ts';
import { type AskedPermission, createAuthorizer } from '../aws/iam/authorizer.ts';
import { createIam } from '../aws/iam/iam.ts';
import { createIamApi } from '../aws/iam/iam-api.ts';
import { createResourcePolicies } from '../aws/iam/resource-policies.ts';
import type { AwsEvent, ServiceParts } from '../aws/integration.ts';
import { createLambdaApi } from '../aws/lambda/lambda-api.ts';
import { createLogs } from '../aws/logs/logs.ts';
import { createRoute53, type Route53Options } from '../aws/route53/route53.ts';
import { createS3 } from '../aws/s3/s3.ts';
import { createScheduler } from '../aws/scheduler/scheduler.ts';
import type { Principal } from '../aws/service.ts';
import { createSns } from '../aws/sns/sns.ts';
import { createSqs } from '../aws/sqs/sqs.ts';
import { createSsm } from '../aws/ssm/ssm.ts';
import type { SsmOptions } from '../aws/ssm/world.ts';
import { createSts } from '../aws/sts/sts.ts';
import type { Clock } from '../simulation/clock.ts';
import { createDelivery } from './delivery.ts';
import { createAccessCheck } from './delivery-access.ts';
import { createResourceLookup } from './resource-lookup.ts';

export interface AccountOptions extends ServiceParts {
  readonly timings?: {
    readonly autoScaling?: AutoScalingOptions['timings'];
    readonly ec2?: Ec2Options['timings'];
    readonly route53?: Route53Options['timings'];
    readonly ssm?: SsmOptions['timings'];
  };
  /** How fast AWS may be called. Defaults to no limits but that of Route 53. */
  readonly requestLimits?: RequestLimits;
  /** What queue URLs begin with; absent: AWS's own. */
  readonly queueUrlBase?: () => string;
  readonly hookChangesReachWaits?: AutoScalingOptions['hookChangesReachWaits'];
  /** Remembers the last minute, for reads that are behind. */
  readonly keepsPast?: boolean;
  /** On the wire ReceiveMessage waits for messages; in process no time passes during a call. */
  readonly longPolling?: boolean;
  /** Concurrent invocations of Lambda; 1,000 by default. */
  readonly accountConcurrency?: number;
  /** In [0, 1]: how often a standard queue hands out a message twice. */
  readonly duplicateChance?: number;
  /** Where callers sign on this clock, the age of their signatures is judged. */
  readonly signingClock?: Clock;
  /** A part of the sandbox was refused something: a rule by a queue, a poller by SQS. */
  readonly onProblem?: (problem: unknown) => void;
  /** Called for every permission that a call is asked for. */
  readonly onPermission?: (asked: AskedPermission) => void;
}

/** One simulated AWS account in one region: its services behind one front, each wired to those that it calls. */
export function createAccount(options: AccountOptions) {
  const { clock, random, accountId, region } = options;
  const parts: ServiceParts = { clock, random, accountId, region };
  const iam = createIam({ clock, random, accountId });
  const resourcePolicyOf = createResourcePolicies({
    sqs: (arn) => sqs.controls.policy(arn),
    sns: (arn) => sns.controls.policy(arn),
    iam: (arn) => iam.role(arn)?.trustPolicy,
  });
  const delivery = createDelivery({
    checkAccess: createAccessCheck({ accountId, iam, resourcePolicyOf }),
    onRefused: options.onProblem,
  });
  const { deliver } = delivery;
  const events = createEvents({ ...parts, deliver });
  const putAwsEvent = (event: AwsEvent): void => events.putAwsEvent(event);
  const sqs = createSqs({
    ...parts,
    ...(options.queueUrlBase && { queueUrlBase: options.queueUrlBase }),
    longPolling: options.longPolling ?? false,
    duplicateChance: options.duplicateChance ?? 0,
  });
  const sns = createSns({ ...parts, deliver });
  const ssm = createSsm({ ...parts, ...(options.timings?.ssm && { timings: options.timings.ssm }) });
  const ec2 = createEc2({
    ...parts,
    putAwsEvent,
    keepsPast: options.keepsPast ?? false,
    ...(options.timings?.ec2 && { timings: options.timings.ec2 }),
  });
  const loadBalancing = createElasticLoadBalancing(parts);
  const autoScaling = createAutoScaling({
    ...parts,
    ec2,
    putAwsEvent,
    deliver,
    targets: loadBalancing.targets,
    hookChangesReachWaits: options.hookChangesReachWaits ?? false,
    keepsPast: options.keepsPast ?? false,
    ...(options.timings?.autoScaling && { timings: options.timings.autoScaling }),
  });
  const eks = createEks({ ...parts, autoScaling });
  const route53 = createRoute53({
    ...parts,
    ...(options.timings?.route53 && { timings: options.timings.route53 }),
  });
  const s3 = createS3(parts);
  const scheduler = createScheduler({ ...parts, deliver });
  const sts = createSts({ iam, clock, random, region });
  const logs = createLogs(parts);
  const monitoring = createMonitoring(parts);
  const cloudFormation = createCloudFormation({
    ...parts,
    sqs,
    ssm,
    logs,
    iam,
    readObject: (bucket, key) => s3.controls.text(bucket, key),
  });
  const iamApi = createIamApi({ iam, accountId });
  const lambdaApi = createLambdaApi(options.accountConcurrency);
  const services = {
    autoScaling,
    ec2,
    sqs,
    ssm,
    sns,
    sts,
    events,
    scheduler,
    loadBalancing,
    eks,
    route53,
    s3,
    lambdaApi,
    iamApi,
    logs,
    monitoring,
    cloudFormation,
  };
  const requests = createRequestMeter(clock, options.requestLimits, {
    isSlowFifo: (queueUrl) => sqs.controls.isSlowFifo(queueUrl),
  });
  const front = createAwsFront({
    meter: requests,
    services: Object.values(services),
    findIdentity: iam.findIdentity,
    authorize: createAuthorizer({
      accountId,
      region,
      clock,
      lookup: createResourceLookup({ ...services, iam }),
      policiesOf: (principal) => iam.policiesOf(principal),
      roleArnOf: (principal) => iam.roleArnOf(principal),
      resourcePolicyOf,
      ...(options.onPermission && { onPermission: options.onPermission }),
    }),
    clock,
    random,
    ...(options.signingClock && { signingClock: options.signingClock }),
  });
  delivery.route({
    sqs: (arn, body, { messageGroupId, attributes = {} }) =>
      sqs.controls.send(arn, {
        MessageBody: body,
        MessageAttributes: stringAttributes(attributes),
        ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
      }),
    sns: (arn, body) => sns.controls.publish(arn, body),
  });
  /** The principal that sets the account up before the first call. */
  const operator: Principal = { accountId, arn: `arn:aws:iam::${accountId}:root`, accessKeyId: '' };
  return { ...services, ...parts, iam, front, requests, delivery, operator };
}

const stringAttributes = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  );

export type Account = ReturnType<typeof createAccount>;
