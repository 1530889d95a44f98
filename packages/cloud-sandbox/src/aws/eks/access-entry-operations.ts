import type {
  AccessEntry,
  CreateAccessEntryRequest,
  DeleteAccessEntryRequest,
  DescribeAccessEntryRequest,
  ListAccessEntriesRequest,
} from '@aws-sdk/client-eks';
import { eksErrors } from './errors.ts';
import { findCluster } from './find.ts';
import type { Cluster, EksWorld } from './model.ts';

const types = new Set([
  'STANDARD',
  'EC2_LINUX',
  'EC2_WINDOWS',
  'FARGATE_LINUX',
  'EC2',
  'HYBRID_LINUX',
  'HYPERPOD_LINUX',
]);
const longestPage = 100;

/**
 * Which IAM identities a cluster knows (EKS API reference, CreateAccessEntry). Left out: updates, access policies, tags, and the entries that EKS makes for
 * managed node groups.
 */
export const accessEntryOperations = (world: EksWorld) => ({
  CreateAccessEntry: (request: CreateAccessEntryRequest) => {
    const cluster = findClusterWithEntries(world, request.clusterName);
    const { principalArn = '', type = 'STANDARD', kubernetesGroups = [], username } = request;
    if (!types.has(type)) throw eksErrors.invalid(`The type ${type} is not one of an access entry.`);
    if (type !== 'STANDARD' && kubernetesGroups.length > 0)
      throw eksErrors.invalid(`The type ${type} takes no kubernetesGroups.`);
    if (cluster.accessEntries.has(principalArn))
      throw eksErrors.inUse('The specified access entry resource is already in use on this cluster.');
    const entry = {
      clusterName: cluster.name,
      principalArn,
      type,
      kubernetesGroups,
      username: username ?? principalArn,
      accessEntryArn: `arn:aws:eks:${world.region}:${world.accountId}:access-entry/${cluster.name}/${pathOf(principalArn)}/${world.random.hex(32)}`,
      createdAt: new Date(world.clock.now()),
    } satisfies AccessEntry;
    cluster.accessEntries.set(principalArn, entry);
    return { accessEntry: entry };
  },
  DescribeAccessEntry: ({ clusterName, principalArn }: DescribeAccessEntryRequest) => ({
    accessEntry: findEntry(findClusterWithEntries(world, clusterName), principalArn),
  }),
  ListAccessEntries: ({
    clusterName,
    maxResults = longestPage,
    nextToken = '0',
  }: ListAccessEntriesRequest) => {
    const arns = [...findClusterWithEntries(world, clusterName).accessEntries.keys()].toSorted();
    const start = Number(nextToken);
    const end = start + Math.min(maxResults, longestPage);
    return { accessEntries: arns.slice(start, end), ...(end < arns.length && { nextToken: String(end) }) };
  },
  DeleteAccessEntry: ({ clusterName, principalArn }: DeleteAccessEntryRequest) => {
    const cluster = findClusterWithEntries(world, clusterName);
    cluster.accessEntries.delete(findEntry(cluster, principalArn).principalArn ?? '');
    return {};
  },
});

/** `role/123456789012/NAME` */
const pathOf = (principalArn: string): string => {
  const [, , , , account = '', resource = ''] = principalArn.split(':');
  return `${resource.split('/')[0]}/${account}/${resource.split('/').at(-1)}`;
};

function findClusterWithEntries(world: EksWorld, name: string | undefined): Cluster {
  const cluster = findCluster(world, name);
  if (cluster.authenticationMode !== 'CONFIG_MAP') return cluster;
  throw eksErrors.invalidRequest(
    "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation.",
  );
}

function findEntry({ accessEntries }: Cluster, principalArn = ''): AccessEntry {
  const entry = accessEntries.get(principalArn);
  if (entry === undefined) throw eksErrors.noAccessEntry();
  return entry;
}
