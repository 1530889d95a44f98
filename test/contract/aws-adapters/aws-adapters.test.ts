import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  createAutoScaling,
  createEc2,
  createEks,
  createEvents,
  createRoute53,
  createS3,
  createSqs,
  createSsm,
} from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { areaOf, casesOf } from './cases.ts';
import type { AwsWorld } from './world.ts';

function simulated(): AwsWorld {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(6), accountId, region, putAwsEvent: () => undefined };
  const ec2 = createEc2(parts);
  const autoScaling = createAutoScaling({ ...parts, ec2, deliver: () => undefined });
  const sqs = createSqs(parts);
  const services = [
    ec2,
    autoScaling,
    createEks({ ...parts, autoScaling }),
    createEvents({ ...parts, deliver: (arn, MessageBody) => sqs.controls.send(arn, { MessageBody }) }),
    createRoute53({ ...parts, timings: { requestsPerSecond: 1000 } }),
    createS3(parts),
    sqs,
    createSsm(parts),
  ];
  const { clientOptions, connection } = createTestFront({ services, clock });
  return {
    connection,
    autoScaling: new AutoScalingClient(clientOptions),
    ec2: new EC2Client(clientOptions),
    events: new EventBridgeClient(clientOptions),
    s3: new S3Client(clientOptions),
    sqs: new SQSClient(clientOptions),
    imageId: async () => 'ami-0123456789abcdef0',
    pass: async (seconds) => clock.advance(seconds),
  };
}

for (const [service, cases] of Object.entries(casesOf))
  contract({ area: areaOf(service), world: 'sandbox', cases, open: simulated });
