import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { withinTime } from '../../base/within-time.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import type { PlanCluster } from '../plan-input/plan-cluster.ts';
import type { PlanInput, PlanSources } from '../plan-input/plan-input.ts';
import { readPlanInput } from '../plan-input/read-plan-input.ts';
import type { SeenNode } from './plan-pods.ts';

/** What the pods of holds are read with. */
export interface PodsReader {
  readonly cluster: PlanCluster;
  readonly launches: PlanSources['launches'];
  readonly joinTimeoutSeconds: number;
}

interface PodsQuestion {
  /** All groups with the tag of the cluster. */
  readonly groups: PlanSources['groups'];
  /** The names of the groups with holds for pods. */
  readonly growing: ReadonlySet<string>;
  readonly clusterName: string;
  readonly clock: TimerClock;
  /** The time that the read may take. */
  readonly milliseconds: number;
}

/** What one read of the cluster found. Nothing is planned yet. */
export type PodsRead =
  | {
      readonly kind: 'read';
      /** Epoch milliseconds at which the read began. */
      readonly readAt: number;
      readonly input: PlanInput;
      /** By the name of the Node. */
      readonly seen: ReadonlyMap<string, SeenNode>;
      readonly joinTimeoutSeconds: number;
    }
  | { readonly kind: 'failed'; readonly readAt: number; readonly why: string };

/** The reason if the deployment has not opted in. */
const whyNotConnected =
  'this deployment may not read pods: set its parameter podHolds to on (docs/capacity.md, holds for pods)';

/**
 * Reads the cluster once for all groups with holds for pods. It never rejects, because holds of nodes must not depend on it: what cannot be read, or not
 * in time, is a failed read.
 */
export async function readPods(reader: PodsReader | undefined, question: PodsQuestion): Promise<PodsRead> {
  const { clock, milliseconds } = question;
  const readAt = clock.now();
  if (reader === undefined) return { kind: 'failed', readAt, why: whyNotConnected };
  try {
    const found = await withinTime(clock, milliseconds, read(reader, question));
    return { kind: 'read', readAt, ...found, joinTimeoutSeconds: reader.joinTimeoutSeconds };
  } catch (error) {
    return { kind: 'failed', readAt, why: `the pods of the cluster cannot be read: ${messageOf(error)}` };
  }
}

async function read(
  { cluster, launches }: PodsReader,
  { groups, growing, clusterName }: PodsQuestion,
): Promise<{ readonly input: PlanInput; readonly seen: ReadonlyMap<string, SeenNode> }> {
  const seen = new Map<string, SeenNode>();
  const noting: PlanCluster = {
    ...cluster,
    listNodes: (reduce) =>
      cluster.listNodes((node) => {
        seen.set(nameOfNode(node), {
          createdAt: Date.parse(node.metadata?.creationTimestamp ?? '') || 0,
          isReady: isNodeReady(node),
          instanceId: instanceIdOf(node.spec?.providerID),
        });
        return reduce(node);
      }),
  };
  return { input: await readPlanInput({ cluster: noting, launches, groups, growing, clusterName }), seen };
}
