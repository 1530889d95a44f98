import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { createAutoScaling } from '../../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import { createEks } from '../../../src/aws/eks/eks.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { eksCases } from './cases.ts';
import type { EksWorld } from './world.ts';

function simulated(): EksWorld {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(6), accountId, region, putAwsEvent: () => undefined };
  const ec2 = createEc2(parts);
  const autoScaling = createAutoScaling({ ...parts, ec2, deliver: () => undefined });
  const eks = createEks({ ...parts, autoScaling });
  const { clientOptions } = createTestFront({ services: [ec2, autoScaling, eks], clock });
  return {
    client: new EKSClient(clientOptions),
    autoScaling: {
      client: new AutoScalingClient(clientOptions),
      ec2: new EC2Client(clientOptions),
      imageId: 'ami-0123456789abcdef0',
      pass: async (seconds) => clock.advance(seconds),
    },
  };
}

contract({ area: 'EKS', world: 'sandbox', cases: eksCases, open: simulated });
