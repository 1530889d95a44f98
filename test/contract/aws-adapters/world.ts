import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { AwsConnection } from '../../../shared/aws/connection.ts';

/** An AWS, simulated or not: as Drover reaches it, and by plain clients of the SDK. */
export interface AwsWorld {
  readonly connection: AwsConnection;
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly events: EventBridgeClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  /** An image that can be launched. */
  readonly imageId: () => Promise<string>;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}
