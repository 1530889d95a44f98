import { setTimeout as sleep } from 'node:timers/promises';
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  clientOptions,
  type Emulator,
  elasticMq,
  miniStack,
  moto,
  running,
} from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import type { RunningServer } from '@drover/cloud-sandbox/real/emulators/start-server.ts';
import { anyImage } from '@drover/cloud-sandbox/test/contract/support/any-image.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { connectionTo } from '../../support/connection-to.ts';
import { areaOf, casesOf } from './cases.ts';
import type { AwsWorld } from './world.ts';

/** Where the emulators do otherwise than AWS documents. */
const differs: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    `Auto Scaling of ${moto.name}`,
    new Map([
      ['Drover reads refused capacities as invalid or gone', 'it takes any capacity'],
      ['Drover accepts the refusal to terminate an instance outside groups', 'it fails with a page of HTML'],
      ['a hook that Drover changes keeps its other settings', 'it forgets the rest'],
      ['Drover cannot set a tag on a group that has 50', 'it has no limit'],
    ]),
  ],
  [
    `EventBridge of ${miniStack.name}`,
    new Map([
      ['a notification has the time that Drover gives it', 'it gives every event the time of its arrival'],
    ]),
  ],
  [
    `EventBridge of ${moto.name}`,
    new Map([
      ['an entry that EventBridge refuses fails without the others', 'it takes an event in the name of AWS'],
    ]),
  ],
  [
    `Route 53 of ${moto.name}`,
    new Map([
      [
        'Drover reads a record that another changed meanwhile as a conflict',
        'it replaces the one that is there',
      ],
    ]),
  ],
]);

const services: ReadonlyMap<Emulator, readonly (keyof typeof casesOf)[]> = new Map([
  [elasticMq, ['SQS']],
  [miniStack, ['EventBridge', 'Route 53', 'S3', 'SQS', 'Parameter Store']],
  [moto, ['Auto Scaling', 'EC2', 'EKS', 'EventBridge', 'Route 53', 'S3', 'SQS', 'Parameter Store']],
]);

const image = anyImage();

function worldOf(server: RunningServer): AwsWorld {
  const options = clientOptions(server);
  const ec2 = new EC2Client(options);
  return {
    connection: connectionTo(server),
    autoScaling: new AutoScalingClient(options),
    ec2,
    events: new EventBridgeClient(options),
    s3: new S3Client({ ...options, forcePathStyle: true }),
    sqs: new SQSClient(options),
    imageId: () => image(ec2),
    pass: (seconds) => sleep(seconds * 1000),
  };
}

for (const [emulator, names] of services) {
  const start = running(emulator);
  for (const service of names)
    contract({
      area: areaOf(service),
      world: emulator.name,
      cases: casesOf[service],
      open: async () => worldOf(await start()),
      differs: differs.get(`${service} of ${emulator.name}`),
      missing: emulator.missing,
    });
}
