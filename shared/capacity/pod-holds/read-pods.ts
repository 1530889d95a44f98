import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { withinTime } from '../../base/within-time.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import type { PlanCluster } from '../plan-input/plan-cluster.ts';
import type { PlanSources } from '../plan-input/plan-input.ts';
import { readPlanInput } from '../plan-input/read-plan-input.ts';
import { type PodsOfGroup, planPods, type SeenNode } from './plan-pods.ts';
import type { PodsReading } from './pods-reading.ts';

/** What one read of the pods found, for each group that was asked for. */
export interface PodsRead {
  /** By the name of the group. */
  readonly readings: ReadonlyMap<string, PodsReading>;
  /** What is not known, each with its consequence. */
  readonly warnings: readonly string[];
}

/** What the pods of holds are read with. */
export interface PodsReader {
  readonly cluster: PlanCluster;
  readonly launches: PlanSources['launches'];
  readonly joinTimeoutSeconds: number;
}

export interface PodsQuestion {
  readonly asked: readonly PodsOfGroup[];
  /** All groups with the tag of the cluster. */
  readonly groups: PlanSources['groups'];
  readonly clusterName: string;
  readonly maxSizeLimit: number;
  readonly clock: TimerClock;
  /** The time that the read may take. */
  readonly milliseconds: number;
}

/** The reason if the deployment has not opted in. */
const whyNotConnected =
  'this deployment may not read pods: set its parameter podHolds to on (docs/capacity.md, holds for pods)';

/**
 * Reads the cluster once for all groups with holds for pods. It never rejects, because holds of nodes must not depend on it: what cannot be read, or not
 * in time, is a failed reading of each group.
 */
export async function readPods(reader: PodsReader | undefined, question: PodsQuestion): Promise<PodsRead> {
  const { asked, clock, milliseconds } = question;
  const readAt = clock.now();
  const failed = (why: string): PodsRead => ({
    readings: new Map(
      asked.map(({ group }) => [group.autoScalingGroupName, { kind: 'failed', readAt, why: cut(why) }]),
    ),
    warnings: [],
  });
  if (reader === undefined) return failed(whyNotConnected);
  try {
    return await withinTime(clock, milliseconds, read(reader, { ...question, readAt }));
  } catch (error) {
    return failed(`the pods of the cluster cannot be read: ${messageOf(error)}`);
  }
}

/** A reason has at most 1,000 characters in a message. */
const cut = (why: string): string => (why.length <= 1000 ? why : `${why.slice(0, 999)}…`);

async function read(
  { cluster, launches, joinTimeoutSeconds }: PodsReader,
  { asked, groups, clusterName, maxSizeLimit, readAt }: PodsQuestion & { readonly readAt: number },
): Promise<PodsRead> {
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
  const input = await readPlanInput({ cluster: noting, launches, groups, clusterName });
  const planned = asked.map((one): readonly [string, PodsReading] => {
    const name = one.group.autoScalingGroupName;
    try {
      return [name, planPods(one, { input, seen, maxSizeLimit, joinTimeoutSeconds, readAt })];
    } catch (error) {
      // One group that cannot be planned stops no other.
      return [name, { kind: 'failed', readAt, why: cut(`the pods cannot be planned: ${messageOf(error)}`) }];
    }
  });
  return { readings: new Map(planned), warnings: input.warnings };
}
