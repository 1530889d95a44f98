import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSandbox } from '../../../src/sandbox.ts';
import { contract } from '../../../truth/contract.ts';
import { autoScalingEventCases } from './cases.ts';
import type { AutoScalingEventsWorld } from './world.ts';

function simulated(): AutoScalingEventsWorld {
  const sandbox = createSandbox({
    onProblem: (problem) => {
      throw problem;
    },
  });
  const options = sandbox.aws();
  return {
    client: new AutoScalingClient(options),
    ec2: new EC2Client(options),
    events: new EventBridgeClient(options),
    sqs: new SQSClient(options),
    imageId: 'ami-0123456789abcdef0',
    pass: (seconds) => sandbox.pass(seconds),
  };
}

contract({
  area: 'Events of Auto Scaling',
  world: 'sandbox',
  cases: autoScalingEventCases,
  open: simulated,
});
