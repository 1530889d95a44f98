import { DescribeAccessEntryCommand, type EKSClient, paginateListAccessEntries } from '@aws-sdk/client-eks';
import { hasCode } from '../../../shared/aws/errors.ts';
import { findIdentityInstance } from '../../../shared/aws/identity-instances.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { isEks } from '../../../shared/certificates/built-in-approvers.ts';
import { roleOf } from '../../../shared/groups/group.ts';
import { comparableArn } from '../../../shared/identity/arn.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

interface ObservedEntries {
  readonly clusterName: string;
  /** The roles of the instances of managed groups. */
  readonly roles: readonly string[];
  /** The type of each entry by the ARN of its principal, as mappings compare them; undefined if the cluster does not support access entries. */
  readonly types: ReadonlyMap<string, string> | undefined;
}

/** On EKS: whether the roles of nodes have access entries as such. There EKS maps IAM identities to users of the cluster; no webhook does. */
export const accessEntries = checkOf({ name: 'access-entries', read, judge: judgeAccessEntries });

async function read(context: DoctorContext): Promise<ObservedEntries | undefined> {
  const { server } = await context.connections.connect();
  if (!isEks(server)) return undefined;
  const { clusterName, eks } = context;
  const roles = await rolesOfInstances(context);
  return {
    clusterName,
    roles,
    types: roles.length === 0 ? new Map() : await typesOf(eks, clusterName, roles),
  };
}

/** Of one instance of each group: those of a group have one launch template. */
async function rolesOfInstances({ ec2, iam, managedGroups }: DoctorContext): Promise<readonly string[]> {
  const find = findIdentityInstance(ec2, iam);
  const groups = (await managedGroups()).filter((group) => roleOf(group) !== 'etcd');
  const instances = await Promise.all(
    groups.flatMap(({ instances: [first] }) => (first ? [find(first.instanceId)] : [])),
  );
  return [...new Set(instances.flatMap((instance) => instance?.roleArn ?? []))];
}

async function typesOf(
  client: EKSClient,
  clusterName: string,
  roles: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const wanted = new Set(roles.map(comparableArn));
  const types = new Map<string, string>();
  try {
    for await (const { accessEntries: arns = [] } of paginateListAccessEntries({ client }, { clusterName }))
      for (const principalArn of arns.filter((arn) => wanted.has(comparableArn(arn)))) {
        const { accessEntry } = await client.send(
          new DescribeAccessEntryCommand({ clusterName, principalArn }),
        );
        types.set(comparableArn(principalArn), accessEntry?.type ?? '');
      }
    return types;
  } catch (error) {
    // "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation."
    if (hasCode(error, 'InvalidRequestException')) return undefined;
    throw error;
  }
}

/** Types of access entries that make an instance a node. */
export const nodeTypes: ReadonlySet<string> = new Set([
  'EC2_LINUX',
  'EC2_WINDOWS',
  'EC2',
  'HYBRID_LINUX',
  'HYPERPOD_LINUX',
]);

/** Pure. */
export function judgeAccessEntries(observed: ObservedEntries | undefined): readonly Finding[] {
  if (observed === undefined)
    return [
      { verdict: 'ok', subject: 'eks', message: 'this cluster is not one of EKS, and has no access entries' },
    ];
  const { clusterName, roles, types } = observed;
  if (types === undefined)
    return [
      {
        verdict: 'ok',
        subject: clusterName,
        message: 'EKS reads only the ConfigMap aws-auth, not access entries',
      },
    ];
  if (roles.length === 0)
    return [
      {
        verdict: 'ok',
        subject: clusterName,
        message: 'no instance runs whose role could need an access entry',
      },
    ];
  return roles.map((role) => judgeRole(role, { clusterName, type: types.get(comparableArn(role)) }));
}

function judgeRole(
  subject: string,
  { clusterName, type }: { readonly clusterName: string; readonly type: string | undefined },
): Finding {
  const named = `--cluster-name ${shellWord(clusterName)} --principal-arn ${shellWord(subject)}`;
  const create = `aws eks create-access-entry ${named} --type EC2_LINUX`;
  if (type === undefined)
    return {
      verdict: 'advice',
      subject,
      message: 'this role of nodes has no access entry: its nodes join only if aws-auth names it',
      command: create,
    };
  if (nodeTypes.has(type))
    return { verdict: 'ok', subject, message: `its access entry is one of nodes, ${type}` };
  return {
    verdict: 'fix',
    subject,
    message: `its access entry is of the type ${type}, so its nodes are not in system:nodes and do not join`,
    command: `aws eks delete-access-entry ${named} && ${create}`,
  };
}
