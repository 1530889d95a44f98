import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { clientSettings, endpointOf, namingTheCall } from './client-settings.ts';
import type { AwsConnection } from './connection.ts';
import { traced } from './traced.ts';

/** The clients of the AWS SDK on one connection. */

export const autoScalingClient = (connection: AwsConnection): AutoScalingClient =>
  traced(connection, new AutoScalingClient(clientSettings(connection, 'Auto Scaling')));

export const cloudWatchClient = (connection: AwsConnection): CloudWatchClient =>
  traced(connection, new CloudWatchClient(clientSettings(connection, 'CloudWatch')));

export const ec2Client = (connection: AwsConnection): EC2Client =>
  traced(connection, new EC2Client(clientSettings(connection, 'EC2')));

export const eksClient = (connection: AwsConnection): EKSClient =>
  traced(connection, new EKSClient(clientSettings(connection, 'EKS')));

export const eventBridgeClient = (connection: AwsConnection): EventBridgeClient =>
  traced(connection, new EventBridgeClient(clientSettings(connection, 'EventBridge')));

export const iamClient = (connection: AwsConnection): IAMClient =>
  traced(connection, new IAMClient(clientSettings(connection, 'IAM')));

export const loadBalancingClient = (connection: AwsConnection): ElasticLoadBalancingV2Client =>
  traced(
    connection,
    new ElasticLoadBalancingV2Client(clientSettings(connection, 'Elastic Load Balancing v2')),
  );

export const route53Client = (connection: AwsConnection): Route53Client =>
  traced(connection, new Route53Client(clientSettings(connection, 'Route 53')));

export const schedulerClient = (connection: AwsConnection): SchedulerClient =>
  traced(connection, new SchedulerClient(clientSettings(connection, 'Scheduler')));

/**
 * Sends to the endpoint of the region, whatever host the queue's URL names; TLS checks the bodies, so no MD5 does. An answer needs no
 * request id, which ElasticMQ does not send: only batches are sent, and an entry that the answer does not name counts as failed.
 */
export const sqsClient = (connection: AwsConnection): SQSClient =>
  traced(
    connection,
    new SQSClient({
      ...clientSettings(connection, 'SQS'),
      requestHandler: namingTheCall(connection.requestHandler, {
        serviceId: 'SQS',
        hasOwnEndpoint: endpointOf('SQS', connection.environment ?? {}) !== undefined,
      }),
      useQueueUrlAsEndpoint: false,
      md5: false,
    }),
  );

export const ssmClient = (connection: AwsConnection): SSMClient =>
  traced(connection, new SSMClient(clientSettings(connection, 'SSM')));
