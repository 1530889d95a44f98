import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSandbox } from '../../../src/sandbox.ts';
import { contract } from '../../../truth/contract.ts';
import { timings } from '../support/replay.ts';
import { etcdGroupsCases } from './cases.ts';
import type { EtcdGroupsWorld } from './world.ts';

function simulated(): EtcdGroupsWorld {
  const sandbox = createSandbox({ timings });
  const options = sandbox.aws();
  return {
    client: new AutoScalingClient(options),
    ec2: new EC2Client(options),
    events: new EventBridgeClient(options),
    route53: new Route53Client(options),
    sqs: new SQSClient(options),
    imageId: 'ami-0123456789abcdef0',
    pass: (seconds) => sandbox.pass(seconds),
  };
}

contract({ area: 'etcd groups', world: 'sandbox', cases: etcdGroupsCases, open: simulated });
