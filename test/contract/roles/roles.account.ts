import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { readSettings } from '@drover/cloud-sandbox/real/account/settings.ts';
import {
  accountWorld,
  type OpenAccount,
  openAccount,
} from '@drover/cloud-sandbox/test/contract/support/account.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { decisionCases } from './decision-cases.ts';
import { deployedWiring, withQueueNames } from './deployed-roles.ts';
import { simulatedBy } from './simulated-decisions.ts';

const settings = readSettings(process.env);
const wiring =
  settings?.release === undefined ? undefined : deployedWiring({ ...settings, directory: settings.release });

/** The names that CloudFormation has given. The physical id of a queue is its URL. */
async function namesIn({ clients }: OpenAccount, StackName: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const pages = paginateListStackResources({ client: clients.cloudformation }, { StackName });
  for await (const { StackResourceSummaries = [] } of pages)
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries)
      names.set(LogicalResourceId, PhysicalResourceId.split('/').at(-1) ?? '');
  return names;
}

if (wiring !== undefined)
  contract({
    ...accountWorld,
    area: 'IAM decisions about the roles',
    cases: decisionCases(wiring.roles, wiring.stackName),
    open: async (signal) => {
      const account = openAccount(signal);
      const names = await namesIn(account, wiring.stackName);
      return {
        deployed: async (role) => withQueueNames(role, wiring, names),
        decide: simulatedBy(account.clients.iam),
      };
    },
  });
