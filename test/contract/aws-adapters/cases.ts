import { autoScalingCases } from './auto-scaling-cases.ts';
import { ec2Cases } from './ec2-cases.ts';
import { eksCases } from './eks-cases.ts';
import { eventCases } from './event-cases.ts';
import { route53Cases } from './route53-cases.ts';
import { s3Cases } from './s3-cases.ts';
import { sqsCases } from './sqs-cases.ts';
import { ssmCases } from './ssm-cases.ts';

/** Cases of Drover's adapters, by the service that they call. */
export const casesOf = {
  'Auto Scaling': autoScalingCases,
  EC2: ec2Cases,
  EKS: eksCases,
  EventBridge: eventCases,
  'Route 53': route53Cases,
  S3: s3Cases,
  SQS: sqsCases,
  'Parameter Store': ssmCases,
} as const;

export const areaOf = (service: string): string => `Drover at ${service}`;
