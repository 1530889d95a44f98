import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type AwsConnection, clientOptions } from './client-options.ts';

/** The SDK's clients over a connection; a bundle holds only those that its function makes. */
export const autoScalingClient = (connection: AwsConnection) =>
  new AutoScalingClient(clientOptions(connection));
export const ec2Client = (connection: AwsConnection) => new EC2Client(clientOptions(connection));
export const loadBalancingClient = (connection: AwsConnection) =>
  new ElasticLoadBalancingV2Client(clientOptions(connection));
export const sqsClient = (connection: AwsConnection) => new SQSClient(clientOptions(connection));
export const ssmClient = (connection: AwsConnection) => new SSMClient(clientOptions(connection));
