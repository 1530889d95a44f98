import {
  DeleteAccessEntryCommand,
  DescribeAccessEntryCommand,
  type EKSClient,
  paginateListAccessEntries,
} from '@aws-sdk/client-eks';
import { hasCode } from '../../shared/aws/errors.ts';
import { isEks } from '../../shared/certificates/built-in-approvers.ts';
import { configMapData } from '../../shared/kubernetes/config-maps.ts';
import { mappedRoles } from '../adopt/plan/aws-auth.ts';
import type { UninstallAccess } from './access.ts';
import type { Kind } from './kind.ts';

/** The functions that sign in to a cluster of EKS. */
const functionNames = [
  'node-leaving',
  'node-joining',
  'sweep',
  'scale-api',
  'bootstrap-credential',
  'certificate-requests',
  'prewarm',
  'roll',
] as const;

/** By the name of its role, `drover-STAGE-FUNCTION`, with any path. */
function isOfFunction(arn: string): boolean {
  const name = arn.includes(':role/') ? arn.slice(arn.lastIndexOf('/') + 1) : '';
  return name.startsWith('drover-') && functionNames.some((one) => name.endsWith(`-${one}`));
}

const groupsOfDrover: ReadonlySet<string> = new Set([
  'drover',
  'drover:reader',
  'drover:credentials',
  'drover:certificates',
  'drover:planner',
  'drover:roller',
]);

/**
 * The log-ins of functions on EKS, by their roles and groups. The stage does not matter, because they are those of this cluster. Someone who
 * makes a role of such a name again would be in these groups.
 */
export function accessEntryKind(access: UninstallAccess): Kind {
  const { clusterName, eks } = access;
  const kept = new Map<string, string>();
  return {
    name: 'access entries',
    // Its address shows whether the cluster is one of EKS.
    inCluster: true,
    list: async () => {
      if (!(await isOfEks(access))) return [];
      const found: string[] = [];
      for (const principalArn of await arnsOfFunctions(eks, clusterName)) {
        const groups = await groupsOf(eks, clusterName, principalArn);
        if (!groups.some((group) => groupsOfDrover.has(group))) continue;
        found.push(principalArn);
        const others = groups.filter((group) => !groupsOfDrover.has(group));
        if (others.length > 0) kept.set(principalArn, `it is in other groups too: ${others.join(', ')}`);
      }
      return found;
    },
    remove: async (principalArn) => {
      try {
        await eks.send(new DeleteAccessEntryCommand({ clusterName, principalArn }));
      } catch (error) {
        if (!hasCode(error, 'ResourceNotFoundException')) throw error;
      }
    },
    whyKept: (name) => kept.get(name),
  };
}

/** The same where EKS reads aws-auth. Its text is the administrator's, and one mistake in it shuts out all nodes: only they change it. */
export const mappedRoleKind = (access: UninstallAccess): Kind => ({
  name: 'roles in aws-auth',
  inCluster: true,
  list: async () => {
    if (!(await isOfEks(access)) || access.leave.cluster === undefined) return [];
    const data = await configMapData(access.leave.cluster.api)('kube-system', 'aws-auth');
    return mappedRoles(data?.['mapRoles']).flatMap(({ arn }) => (isOfFunction(arn) ? [arn] : []));
  },
  remove: (arn) => Promise.reject(new Error(`${arn} is not removed from aws-auth`)),
  whyKept: () => 'remove its entry: kubectl edit configmap aws-auth --namespace kube-system',
});

async function isOfEks({ leave }: UninstallAccess): Promise<boolean> {
  const { server } = (await leave.cluster?.connections.connect()) ?? {};
  return server !== undefined && isEks(server);
}

async function arnsOfFunctions(client: EKSClient, clusterName: string): Promise<readonly string[]> {
  const arns: string[] = [];
  try {
    for await (const { accessEntries = [] } of paginateListAccessEntries({ client }, { clusterName }))
      arns.push(...accessEntries.filter((arn) => isOfFunction(arn)));
    return arns;
  } catch (error) {
    // "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation."
    if (hasCode(error, 'InvalidRequestException')) return [];
    throw error;
  }
}

/** None of an entry that someone has deleted meanwhile. */
async function groupsOf(
  client: EKSClient,
  clusterName: string,
  principalArn: string,
): Promise<readonly string[]> {
  try {
    const { accessEntry } = await client.send(new DescribeAccessEntryCommand({ clusterName, principalArn }));
    return accessEntry?.kubernetesGroups ?? [];
  } catch (error) {
    if (hasCode(error, 'ResourceNotFoundException')) return [];
    throw error;
  }
}
