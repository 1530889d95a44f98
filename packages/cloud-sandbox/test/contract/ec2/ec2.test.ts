import { EC2Client } from '@aws-sdk/client-ec2';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { ec2Cases } from './cases.ts';
import type { Ec2World } from './world.ts';

function simulated(): Ec2World {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(4), accountId, region };
  const ec2 = createEc2({ ...parts, putAwsEvent: () => undefined });
  const { clientOptions } = createTestFront({ services: [ec2], clock });
  return {
    client: new EC2Client(clientOptions),
    imageId: 'ami-0123456789abcdef0',
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'EC2', world: 'sandbox', cases: ec2Cases, open: simulated });
