import { IAMClient } from '@aws-sdk/client-iam';
import { createIam, createIamApi } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { type DecisionsWorld, decisionCases } from './decision-cases.ts';
import { policiesOf } from './role-requests.ts';
import { simulatedBy } from './simulated-decisions.ts';

const { roles, stackName } = await loadDeployment({ accountId, region });

/** The roles of the packaged deployment, asked through the API of IAM. */
function simulated(): DecisionsWorld {
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(4), accountId });
  for (const role of roles) iam.putRole({ ...role, policies: policiesOf(role) });
  const { clientOptions } = createTestFront({ services: [createIamApi({ iam, accountId })], clock });
  return { deployed: async (role) => role, decide: simulatedBy(new IAMClient(clientOptions)) };
}

contract({
  area: 'IAM decisions about the roles',
  world: 'sandbox',
  cases: decisionCases(roles, stackName),
  open: simulated,
});
