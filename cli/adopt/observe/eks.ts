import { DescribeAccessEntryCommand, DescribeClusterCommand, type EKSClient } from '@aws-sdk/client-eks';
import { GetRoleCommand, type IAMClient } from '@aws-sdk/client-iam';
import { hasCode } from '../../../shared/aws/errors.ts';
import { comparableArn } from '../../../shared/identity/arn.ts';
import type { AdoptAccess } from '../access.ts';
import { mappedRoles } from '../plan/aws-auth.ts';
import type { ObservedEks } from '../plan/observation.ts';

interface Asked {
  readonly clusterName: string;
  readonly awsAuth: Readonly<Record<string, string>> | undefined;
  readonly stage: string;
  readonly functions: readonly string[];
  readonly nodeRoles: readonly string[];
}

/** How EKS maps the roles of the functions and of the nodes. */
export async function observeEks(
  { eks, iam }: Pick<AdoptAccess, 'eks' | 'iam'>,
  asked: Asked,
): Promise<ObservedEks> {
  const { clusterName, awsAuth } = asked;
  const functionRoles = new Map<string, string>();
  for (const name of asked.functions) {
    const arn = await roleArn(iam, `drover-${asked.stage}-${name}`);
    if (arn !== undefined) functionRoles.set(name, arn);
  }
  const { cluster } = await eks.send(new DescribeClusterCommand({ name: clusterName }));
  const mode = cluster?.accessConfig?.authenticationMode;
  const roles = [...functionRoles.values(), ...asked.nodeRoles];
  return {
    functionRoles,
    entries: mode === 'CONFIG_MAP' ? undefined : await entriesOf(eks, clusterName, roles),
    awsAuth,
    // In the mode API, EKS does not read the ConfigMap.
    mapped: mode === 'API' ? [] : mappedRoles(awsAuth && (awsAuth['mapRoles'] ?? '')),
  };
}

/** With its path, which an access entry needs. Undefined if the role does not exist: that function is not deployed. */
async function roleArn(iam: IAMClient, RoleName: string): Promise<string | undefined> {
  try {
    return (await iam.send(new GetRoleCommand({ RoleName }))).Role?.Arn;
  } catch (error) {
    if (hasCode(error, 'NoSuchEntity', 'NoSuchEntityException')) return undefined;
    throw error;
  }
}

async function entriesOf(
  eks: EKSClient,
  clusterName: string,
  roles: readonly string[],
): Promise<NonNullable<ObservedEks['entries']>> {
  const entries = new Map<string, { readonly type: string; readonly groups: readonly string[] }>();
  for (const principalArn of new Set(roles)) {
    const entry = await entryOf(eks, clusterName, principalArn);
    if (entry) entries.set(comparableArn(principalArn), entry);
  }
  return entries;
}

async function entryOf(eks: EKSClient, clusterName: string, principalArn: string) {
  try {
    const { accessEntry } = await eks.send(new DescribeAccessEntryCommand({ clusterName, principalArn }));
    return { type: accessEntry?.type ?? '', groups: accessEntry?.kubernetesGroups ?? [] };
  } catch (error) {
    if (hasCode(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}
