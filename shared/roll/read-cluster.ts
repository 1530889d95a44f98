import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { lazily } from '../base/lazily.ts';
import type { InstanceTypeFacts } from '../capacity/plan-input/instance-capacity.ts';
import type { OptionalList, PlanCluster } from '../capacity/plan-input/plan-cluster.ts';
import type { PlanLaunches } from '../capacity/plan-input/plan-input.ts';
import { readPlanInput } from '../capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { PreflightCluster } from './preflight.ts';
import { resizedNode } from './resized-node.ts';
import { strandedPodsOf } from './stranded-pods.ts';

/** The lists of the cluster that a preflight reads. Methods reject with a KubernetesError. */
export interface ClusterSources {
  readonly cluster: PlanCluster;
  readonly listBudgets: () => Promise<OptionalList<PodDisruptionBudget>>;
  readonly clusterName: string;
  /** The instance types that groups launch now. Without it, a node of the same kind replaces each. */
  readonly readTypes?: () => Promise<LaunchedTypes>;
}

/** The instance types that groups launch, by the name of the group, and what is not known of them. */
export interface LaunchedTypes {
  readonly types: ReadonlyMap<string, readonly InstanceTypeFacts[]>;
  readonly warnings: readonly string[];
}

/** The cluster as a preflight sees it. */
export interface ReadCluster extends PreflightCluster {
  readonly nodes: readonly Node[];
  /** What is not known, each with its consequence. */
  readonly warnings: readonly string[];
}

/**
 * Reads the Nodes, pods and budgets of the cluster.
 *
 * @param groups all groups of the cluster, whose instances the Nodes are
 * @throws KubernetesError if the Nodes or the pods cannot be read: a node without its pods would look empty.
 */
export async function readCluster(
  groups: readonly AutoScalingGroup[],
  { cluster, listBudgets, clusterName, readTypes = sameTypes }: ClusterSources,
): Promise<ReadCluster> {
  const kept = keeping(cluster);
  const [input, budgets, launched] = await Promise.all([
    readPlanInput({
      cluster: kept.cluster,
      // No group grows in this plan: a node of the same kind replaces each.
      launches: { readLaunches: () => Promise.resolve(new Map()) },
      growing: new Set(),
      groups,
      clusterName,
    }),
    listBudgets(),
    readTypes(),
  ]);
  const unread =
    budgets.status === 'read' ? [] : ['the budgets may not be read: pods that they hold are not named'];
  const capacities = lazily(
    () => new Map(kept.nodes().map((node) => [nameOfNode(node), node.status?.capacity])),
  );
  return {
    nodes: kept.nodes(),
    pods: kept.pods(),
    budgets: budgets.status === 'read' ? budgets.items : [],
    strandedOn: (nodeName) =>
      strandedPodsOf(nodeName, input.nodes, (node) =>
        resizedNode(
          node,
          capacities().get(node.name),
          launched.types.get(node.autoScalingGroupName ?? '') ?? [],
        ),
      ),
    warnings: [...unread, ...launched.warnings, ...input.warnings],
  };
}

const sameTypes = (): Promise<LaunchedTypes> => Promise.resolve({ types: new Map(), warnings: [] });

/** Reads the types that these groups launch. A node of the same kind is expected of a group whose types are not known. */
export async function readLaunchedTypes(
  launches: PlanLaunches,
  groups: readonly AutoScalingGroup[],
): Promise<LaunchedTypes> {
  const found = [...(await launches.readLaunches(groups))].map(([name, { types }]) => ({ name, types }));
  return {
    types: new Map(found.flatMap(({ name, types }) => ('unknown' in types ? [] : [[name, types] as const]))),
    warnings: found.flatMap(({ name, types }) =>
      'unknown' in types
        ? [
            `${name}: the size of its new nodes is not known, so it is taken as that of the old ones: ${types.unknown}`,
          ]
        : [],
    ),
  };
}

/** Keeps the Nodes and pods that a plan reduces as it reads them. A list that is read again replaces what was kept of it. */
function keeping(cluster: PlanCluster) {
  const nodes = new Map<string, Node>();
  const pods = new Map<string, Pod>();
  return {
    cluster: {
      ...cluster,
      listNodes: (reduce) =>
        cluster.listNodes((node) => {
          nodes.set(node.metadata?.uid ?? '', node);
          return reduce(node);
        }),
      listPods: (reduce) =>
        cluster.listPods((pod) => {
          if (pod.spec?.nodeName) pods.set(pod.metadata?.uid ?? '', pod);
          return reduce(pod);
        }),
    } satisfies PlanCluster,
    nodes: (): readonly Node[] => [...nodes.values()],
    pods: (): readonly Pod[] => [...pods.values()],
  };
}
