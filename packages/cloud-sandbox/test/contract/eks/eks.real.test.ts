import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { eksCases } from './cases.ts';

/** Where moto does otherwise than AWS documents, and the sandbox sides with AWS. */
const differs: ReadonlyMap<string, string> = new Map([
  ['a node group is an Auto Scaling group with tags of EKS', 'it makes no Auto Scaling group'],
  ['an update sets the sizes of the Auto Scaling group', 'it makes no Auto Scaling group'],
  ['a minimum above the desired size is refused', 'it takes it'],
  ['an update is refused while another one runs', 'its updates take no time'],
]);

const start = running(moto);
const image = anyImage();
contract({
  area: 'EKS',
  world: moto.name,
  cases: eksCases,
  open: async () => {
    const server = await start();
    const options = clientOptions(server);
    const ec2 = new EC2Client(options);
    return {
      client: new EKSClient(options),
      autoScaling: {
        client: new AutoScalingClient(options),
        ec2,
        imageId: await image(ec2),
        // Everything that moto does is done at once.
        pass: async () => undefined,
      },
    };
  },
  differs,
  missing: moto.missing,
});
