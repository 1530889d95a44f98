import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { createAutoScaling } from '../../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import { createElasticLoadBalancing } from '../../../src/aws/elastic-load-balancing/elastic-load-balancing.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { autoScalingCases } from './cases.ts';
import type { LoadBalancedWorld } from './world.ts';

function simulated(): LoadBalancedWorld {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(6), accountId, region, putAwsEvent: () => undefined };
  const ec2 = createEc2(parts);
  const elb = createElasticLoadBalancing(parts);
  const autoScaling = createAutoScaling({ ...parts, ec2, deliver: () => undefined, targets: elb.targets });
  const { clientOptions } = createTestFront({ services: [ec2, elb, autoScaling], clock });
  return {
    client: new AutoScalingClient(clientOptions),
    ec2: new EC2Client(clientOptions),
    elb: new ElasticLoadBalancingV2Client(clientOptions),
    imageId: 'ami-0123456789abcdef0',
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'Auto Scaling', world: 'sandbox', cases: autoScalingCases, open: simulated });
