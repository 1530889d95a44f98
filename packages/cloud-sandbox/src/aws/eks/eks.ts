import type { CreateClusterRequest, DescribeClusterRequest, ErrorDetail, Issue } from '@aws-sdk/client-eks';
import type { AutoScaling } from '../auto-scaling/auto-scaling.ts';
import type { ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { accessEntryOperations } from './access-entry-operations.ts';
import { eksErrors } from './errors.ts';
import { findCluster, findNodegroup } from './find.ts';
import type { Cluster, EksWorld } from './model.ts';
import { nodegroupOperations } from './nodegroup-operations.ts';
import { endUpdate } from './update.ts';
import { versionOperations } from './version-operations.ts';

export interface EksOptions extends ServiceParts {
  readonly autoScaling: AutoScaling;
  /** Defaults to 20. */
  readonly updateSeconds?: number;
}

const clusterOperations = (world: EksWorld) => ({
  CreateCluster: ({ name = '', accessConfig }: CreateClusterRequest) => {
    if (world.clusters.has(name)) throw eksErrors.inUse(`Cluster already exists with name: ${name}`);
    const cluster = {
      name,
      arn: `arn:aws:eks:${world.region}:${world.accountId}:cluster/${name}`,
      createdAt: world.clock.now(),
      nodegroups: new Map(),
      // "CONFIG_MAP" is the default of the API (EKS API reference, CreateAccessConfigRequest).
      authenticationMode: accessConfig?.authenticationMode ?? ('CONFIG_MAP' as const),
      accessEntries: new Map(),
    };
    world.clusters.set(name, cluster);
    return { cluster: toCluster(cluster) };
  },
  /** All of them on one page. */
  ListClusters: () => ({ clusters: [...world.clusters.keys()] }),
  DescribeCluster: ({ name }: DescribeClusterRequest) => ({ cluster: toCluster(findCluster(world, name)) }),
});

const toCluster = ({ name, arn, createdAt, authenticationMode }: Cluster) => ({
  name,
  arn,
  createdAt: new Date(createdAt),
  status: 'ACTIVE' as const,
  accessConfig: { authenticationMode },
});

const operationsOf = (world: EksWorld) => ({
  ...clusterOperations(world),
  ...nodegroupOperations(world),
  ...versionOperations(world),
  ...accessEntryOperations(world),
});

/** Amazon EKS as far as managed node groups are Auto Scaling groups, and access entries. A cluster is a name here: it has no control plane. */
export interface Eks extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  readonly controls: {
    /** What EKS says from now on is wrong with a node group. */
    readonly setIssues: (clusterName: string, nodegroupName: string, issues: readonly Issue[]) => void;
    /** Ends the update of a node group that is in progress. EKS fails one whose drain takes 15 minutes, which is not simulated. */
    readonly failUpdate: (clusterName: string, nodegroupName: string, error: ErrorDetail) => void;
  };
}

export function createEks(options: EksOptions): Eks {
  const { clock, random, accountId, region, autoScaling, updateSeconds = 20 } = options;
  const world: EksWorld = {
    clock,
    random,
    accountId,
    region,
    autoScaling,
    updateSeconds,
    clusters: new Map(),
  };
  return {
    signingName: 'eks',
    operations: operationsOf(world),
    controls: {
      setIssues: (clusterName, nodegroupName, issues) => {
        findNodegroup(world, clusterName, nodegroupName).issues = issues;
      },
      failUpdate: (clusterName, nodegroupName, error) => {
        const nodegroup = findNodegroup(world, clusterName, nodegroupName);
        for (const update of nodegroup.updates.values())
          if (update.status === 'InProgress') endUpdate(nodegroup, update, [error]);
      },
    },
  };
}
