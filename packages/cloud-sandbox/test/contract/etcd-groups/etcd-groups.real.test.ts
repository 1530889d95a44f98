import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { etcdGroupsCases } from './cases.ts';
import { memberCases } from './member-cases.ts';

const start = running(moto);
const image = anyImage();
contract({
  area: 'etcd groups',
  world: moto.name,
  cases: etcdGroupsCases,
  open: async () => {
    const options = clientOptions(await start());
    const ec2 = new EC2Client(options);
    return {
      client: new AutoScalingClient(options),
      ec2,
      events: new EventBridgeClient(options),
      route53: new Route53Client(options),
      sqs: new SQSClient(options),
      imageId: await image(ec2),
      // Everything that moto does is done at once.
      pass: async () => undefined,
    };
  },
  notApplicable: new Map(
    Object.keys(memberCases).map((sentence) => [sentence, 'it has no wait states and sends no events']),
  ),
  missing: moto.missing,
});
