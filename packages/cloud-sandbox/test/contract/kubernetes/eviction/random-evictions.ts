import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { budgetsHolding } from '../../../../../../shared/draining/budgets.ts';
import type { BareCluster } from '../bare-cluster.ts';
import type { ClusterApi } from './cluster-api.ts';
import { randomNamespaces } from './random-namespace.ts';
import { sandboxApi } from './sandbox-api.ts';
import { type Asked, type Counted, createTwin, type Twin } from './twins.ts';

/** What one cluster said, with the numbers of the disruption controller and with numbers written by hand. */
interface Said {
  readonly statuses: readonly Counted[];
  readonly counted: readonly Asked[];
  readonly written: readonly Asked[];
}

export interface RandomEvictions {
  readonly real: Said;
  readonly sandbox: Said;
  /** What Drover foretells of the evictions in the real cluster. */
  readonly foretold: { readonly counted: readonly Foretold[]; readonly written: readonly Foretold[] };
}

export interface Foretold {
  readonly namespace: string;
  readonly pod: string;
  readonly budgets: readonly string[];
}

/** Fills both clusters alike, and asks for the eviction of every pod twice. Ends the controllers of the real one. */
export async function evictAtRandom(
  { api, controlPlane }: BareCluster,
  { namespaceCount, seed }: { readonly namespaceCount: number; readonly seed: number },
): Promise<RandomEvictions> {
  const descriptions = randomNamespaces(namespaceCount, seed);
  const real = await createTwin(api, descriptions);
  const sandbox = await createTwin(sandboxApi(['disruption-controller']), descriptions);
  const [realBefore, sandboxBefore] = [await countedBy(real), await countedBy(sandbox)];
  const counted = await foretell(api);
  await controlPlane.stopControllers();
  const [realAfter, sandboxAfter] = [await writtenBy(real), await writtenBy(sandbox)];
  return {
    real: { ...realBefore, written: realAfter },
    sandbox: { ...sandboxBefore, written: sandboxAfter },
    foretold: { counted, written: await foretell(api) },
  };
}

async function countedBy(twin: Twin): Promise<Omit<Said, 'written'>> {
  await twin.createBudgets();
  return { statuses: await twin.countedStatuses(), counted: await twin.evictAll() };
}

async function writtenBy(twin: Twin): Promise<readonly Asked[]> {
  await twin.writeStatuses();
  return await twin.evictAll();
}

async function foretell(api: ClusterApi): Promise<readonly Foretold[]> {
  const list = async <T>(path: string): Promise<readonly T[]> => {
    const answer = await api.write({ method: 'GET', path });
    return (answer as { readonly items: readonly T[] }).items;
  };
  const pods = await list<Pod>('/api/v1/pods');
  const budgets = await list<PodDisruptionBudget>('/apis/policy/v1/poddisruptionbudgets');
  return pods.map((pod) => ({
    namespace: pod.metadata?.namespace ?? '',
    pod: pod.metadata?.name ?? '',
    budgets: budgetsHolding(pod, budgets),
  }));
}
