import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { automatedDefaults } from '../../shared/draining/pod-filters.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { instanceIdOf, nameOfNode } from '../../shared/nodes/node-names.ts';
import { look } from '../drain/look.ts';
import type { InstanceWait } from './waits.ts';

/** A pod that a drain would evict before its instance ends. */
interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  /** The budgets that allow no disruption of it now. */
  readonly heldBy: readonly string[];
}

/** What runs on an instance that waits. */
export interface ObservedWait {
  readonly wait: InstanceWait;
  /** The names of its Nodes; undefined if the cluster could not be read. */
  readonly nodes?: readonly string[];
  /** Undefined if they could not be read. */
  readonly pods?: readonly RunningPod[];
}

interface ObserveInput {
  readonly cluster: Pick<
    DrainCluster,
    'listNodes' | 'listPodsOnNode' | 'lookUpDaemonSet' | 'listPodDisruptionBudgets'
  >;
  readonly now: number;
  /** Called with what could not be read, and why. */
  readonly warn: (message: string) => void;
}

/** A cluster of hundreds of nodes is read within seconds, and its API server is not flooded. */
const readsAtOnce = 8;

/** The waits with what runs on their nodes. A cluster that cannot be read is a warning: the waits can be ended without it. */
export async function observeWaits(
  waits: readonly InstanceWait[],
  input: ObserveInput,
): Promise<readonly ObservedWait[]> {
  if (waits.length === 0) return [];
  const nodes = await nodesOrNone(input);
  if (nodes === undefined) return waits.map((wait) => ({ wait }));
  const observed = new Map<InstanceWait, ObservedWait>();
  const queue = waits.values();
  const work = async (): Promise<void> => {
    for (const wait of queue) observed.set(wait, await observeWait(wait, nodes, input));
  };
  await Promise.all(Array.from({ length: Math.min(readsAtOnce, waits.length) }, work));
  return waits.map((wait) => observed.get(wait) ?? { wait });
}

async function nodesOrNone({ cluster, warn }: ObserveInput): Promise<readonly Node[] | undefined> {
  try {
    return await cluster.listNodes('consistent');
  } catch (error) {
    warn(`cannot read which pods run on these instances: ${messageOf(error)}`);
    return undefined;
  }
}

async function observeWait(
  wait: InstanceWait,
  all: readonly Node[],
  input: ObserveInput,
): Promise<ObservedWait> {
  const nodes = all
    .filter(({ spec }) => instanceIdOf(spec?.providerID) === wait.instanceId)
    .map((node) => nameOfNode(node));
  try {
    const pods = (await Promise.all(nodes.map((nodeName) => podsOn(nodeName, input)))).flat();
    return { wait, nodes, pods };
  } catch (error) {
    input.warn(`cannot read which pods run on ${wait.instanceId}: ${messageOf(error)}`);
    return { wait, nodes };
  }
}

async function podsOn(
  nodeName: string,
  { cluster, now, warn }: ObserveInput,
): Promise<readonly RunningPod[]> {
  const { waitingFor } = await look({
    cluster,
    nodeName,
    now,
    since: now,
    consistency: 'consistent',
    options: automatedDefaults,
    withBudgets: true,
    warn,
  });
  return waitingFor.map(({ namespace, name, heldBy = [] }) => ({ namespace, name, heldBy }));
}
