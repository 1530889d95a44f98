import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { createCloudFormation } from '../../../src/aws/cloudformation/cloudformation.ts';
import { createIam } from '../../../src/aws/iam/iam.ts';
import { createLogs } from '../../../src/aws/logs/logs.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createSsm } from '../../../src/aws/ssm/ssm.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { type CloudFormationWorld, cloudFormationCases } from './cases.ts';

function simulated(): CloudFormationWorld {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(9), accountId, region };
  const [sqs, ssm, logs] = [createSqs(parts), createSsm(parts), createLogs(parts)];
  const service = createCloudFormation({
    ...parts,
    sqs,
    ssm,
    logs,
    iam: createIam(parts),
    readObject: () => undefined,
  });
  const { clientOptions } = createTestFront({ services: [service, sqs, ssm], clock });
  return {
    client: new CloudFormationClient(clientOptions),
    sqs: new SQSClient(clientOptions),
    ssm: new SSMClient(clientOptions),
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'CloudFormation', world: 'sandbox', cases: cloudFormationCases, open: simulated });
