import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { whyNotPlanned } from '../../shared/capacity/plan/not-planned.ts';
import { planNodes } from '../../shared/capacity/plan/plan.ts';
import { plannedPodOf } from '../../shared/capacity/plan/pod.ts';
import { reasons } from '../../shared/capacity/plan/reasons.ts';
import type { OccupiedNode } from '../../shared/capacity/plan/types.ts';
import type { DrainPlan, PlannedPod } from '../../shared/draining/plan-drain.ts';
import { identityOf, isFinished } from '../../shared/draining/pod-facts.ts';
import { drainNotes } from '../../shared/draining/pod-filters.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { CliContext } from '../context.ts';
import { type RoomGroups, readRoom, readRoomGroups, withoutGroups } from '../plan/read-room.ts';
import { type PlanReport, podName, reportOf } from '../plan/report.ts';
import { reasonOf } from '../reason-of.ts';
import type { DrainFlags } from './flags.ts';

/** Where the pods of a drain would go. */
export interface DrainRoom {
  readonly report: PlanReport;
  /** The pods that are planned, as `namespace/name`. */
  readonly replacements: readonly string[];
  /** Pods that no controller makes again, as `namespace/name`. */
  readonly notRecreated: readonly string[];
  /** The groups were not read, with the reason: only free room counts. */
  readonly withoutGroups?: string;
  readonly warnings: readonly string[];
}

export interface RoomInput {
  readonly plan: DrainPlan;
  readonly nodeName: string;
  readonly cluster: Pick<DrainCluster, 'listPodsOnNode'>;
  readonly flags: DrainFlags;
}

/**
 * Plans the pods that would leave on the other nodes. The node of the drain gives no room, and its pods that leave refuse none of their replacements.
 *
 * @throws KubernetesError if the nodes or pods of the cluster cannot be read.
 */
export async function planRoom(
  { plan, nodeName, cluster, flags }: RoomInput,
  context: CliContext,
): Promise<DrainRoom> {
  const groups = await groupsOf(flags, context);
  const [room, pods] = await Promise.all([
    readRoom({ from: groups.from }, { ...flags, groups: true }, context),
    cluster.listPodsOnNode(nodeName, 'cached'),
  ]);
  const leaving = plan.pods.filter(({ verdict }) => verdict === 'evict' || verdict === 'delete');
  const [lost, recreated] = [leaving.filter(isLost), leaving.filter((pod) => !isLost(pod))];
  const uids = new Set(recreated.map(({ uid }) => uid));
  const replaced = pods.filter((pod) => uids.has(identityOf(pod).uid) && !isFinished(pod)).map(replacementOf);
  const plannable = replaced.filter((pod) => whyNotPlanned(pod) === undefined);
  const { input } = room;
  const asked = plannable.map((pod) => plannedPodOf(pod, input.surroundings));
  const planned = planNodes({
    nodes: input.nodes.map((one) => withoutPods(one, nodeName, new Set(leaving.map(podName)))),
    groups: input.groups,
    pods: [...input.pending, ...asked],
  });
  const others = replaced.flatMap((pod) => {
    const reason = whyNotPlanned(pod);
    const name = podName(identityOf(pod));
    return reason === undefined ? [] : [{ name, total: 1, running: 0, pods: [], whyNotPlanned: reason }];
  });
  const own = { name: `pods of ${nodeName}`, total: asked.length, running: 0, pods: asked };
  return {
    report: reportOf({ plan: planned, asked: [own, ...others], pending: input.pending, ...room }),
    replacements: asked.map(podName),
    notRecreated: lost.map(podName),
    ...(groups.reason !== undefined && { withoutGroups: groups.reason }),
    warnings: input.warnings,
  };
}

const isLost = ({ reason }: PlannedPod): boolean => reason.split('; ').includes(drainNotes.unmanaged);

/** The pod that its controller makes for one that leaves: the same without its node. */
function replacementOf({ metadata, spec }: Pod): Pod {
  const { nodeName: _, ...rest } = spec ?? { containers: [] };
  const { deletionTimestamp: __, ...kept } = metadata ?? {};
  return { metadata: kept, spec: rest };
}

function withoutPods(occupied: OccupiedNode, nodeName: string, names: ReadonlySet<string>): OccupiedNode {
  if (occupied.node.name !== nodeName) return occupied;
  return {
    ...occupied,
    node: { ...occupied.node, closed: reasons.unschedulable },
    pods: occupied.pods.filter((pod) => !names.has(podName(pod))),
  };
}

/** A drain needs no AWS: without it the plan counts free room only. */
async function groupsOf(
  flags: DrainFlags,
  context: CliContext,
): Promise<{ readonly from: RoomGroups; readonly reason?: string }> {
  if (!context.environment.DROVER_CLUSTER)
    return { from: withoutGroups, reason: 'set DROVER_CLUSTER to see which new nodes would take them' };
  try {
    return { from: await readRoomGroups({ ...flags, groups: true }, context) };
  } catch (error) {
    return { from: withoutGroups, reason: `the groups cannot be read: ${reasonOf(error)}` };
  }
}
