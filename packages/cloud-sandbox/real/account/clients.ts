import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { Route53Client } from '@aws-sdk/client-route-53';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import type { AwsRequestHandler } from '../../src/aws/front/request-handler.ts';

/** Clients of one account and region, by the signing names of their services. */
export interface AccountClients {
  readonly autoscaling: AutoScalingClient;
  readonly cloudformation: CloudFormationClient;
  readonly ec2: EC2Client;
  readonly eks: EKSClient;
  readonly elasticloadbalancing: ElasticLoadBalancingV2Client;
  readonly events: EventBridgeClient;
  readonly iam: IAMClient;
  readonly logs: CloudWatchLogsClient;
  readonly route53: Route53Client;
  readonly s3: S3Client;
  readonly scheduler: SchedulerClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  readonly sts: STSClient;
}

export interface AccountClientOptions {
  readonly region: string;
  /** Instead of AWS: an account on the wire. */
  readonly endpoint?: string | undefined;
  /**
   * The only source of credentials if it is named: the SDK's usual search goes on with the role of the machine if a name is mistyped.
   */
  readonly profile?: string | undefined;
  /** Defaults to those of the profile, or of the environment. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requestHandler?: AwsRequestHandler;
  /** Defaults to 5: the SDK repeats what AWS throttles. */
  readonly maxAttempts?: number;
}

export function createAccountClients({
  endpoint,
  profile,
  maxAttempts = 5,
  ...options
}: AccountClientOptions): AccountClients {
  const settings = {
    ...(profile !== undefined && { credentials: fromIni({ profile }) }),
    ...options,
    maxAttempts,
    ...(endpoint !== undefined && { endpoint }),
  };
  return {
    autoscaling: new AutoScalingClient(settings),
    cloudformation: new CloudFormationClient(settings),
    ec2: new EC2Client(settings),
    eks: new EKSClient(settings),
    elasticloadbalancing: new ElasticLoadBalancingV2Client(settings),
    events: new EventBridgeClient(settings),
    // Its simulator is throttled early: https://github.com/nccgroup/PMapper/issues/1
    iam: new IAMClient({ ...settings, retryMode: 'adaptive' }),
    logs: new CloudWatchLogsClient(settings),
    route53: new Route53Client(settings),
    // An account on the wire has no name for each bucket.
    s3: new S3Client({ ...settings, forcePathStyle: endpoint !== undefined }),
    scheduler: new SchedulerClient(settings),
    sqs: new SQSClient(settings),
    ssm: new SSMClient(settings),
    sts: new STSClient(settings),
  };
}
