import { EC2Client } from '@aws-sdk/client-ec2';
import { createEc2 } from '../../packages/cloud-sandbox/src/aws/ec2/ec2.ts';
import { createRandom } from '../../packages/cloud-sandbox/src/simulation/random.ts';
import { createManualClock } from '../../packages/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  region,
} from '../../packages/cloud-sandbox/test/aws/support/test-front.ts';
import { ec2Cases } from './ec2-cases.ts';
import type { Ec2World } from './ec2-world.ts';
import { contract } from './support/contract.ts';

function simulated(): Ec2World {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(4), accountId, region };
  const ec2 = createEc2({ ...parts, putAwsEvent: () => undefined });
  const { clientOptions, connection } = createTestFront({ services: [ec2], clock });
  return {
    client: new EC2Client(clientOptions),
    connection,
    imageId: 'ami-0123456789abcdef0',
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'EC2', world: 'sandbox', cases: ec2Cases, open: simulated });
