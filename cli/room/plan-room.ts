import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { whyNotPlanned } from '../../shared/capacity/plan/not-planned.ts';
import { planNodes } from '../../shared/capacity/plan/plan.ts';
import { plannedPodOf } from '../../shared/capacity/plan/pod.ts';
import { reasons } from '../../shared/capacity/plan/reasons.ts';
import type { OccupiedNode } from '../../shared/capacity/plan/types.ts';
import type { DrainPlan, PlannedPod } from '../../shared/draining/plan-drain.ts';
import { controllerOf, identityOf, isFinished, terminatesAt } from '../../shared/draining/pod-facts.ts';
import { drainNotes } from '../../shared/draining/pod-filters.ts';
import type { Room } from '../plan/read-room.ts';
import { type PlanReport, podName, reportOf } from '../plan/report.ts';

/** A node that goes, with what a drain does with its pods. */
export interface LeavingNode {
  readonly nodeName: string;
  readonly drain: Pick<DrainPlan, 'pods'>;
  readonly pods: readonly Pod[];
}

/** Where the pods of nodes that go would go. */
export interface DrainRoom {
  readonly report: PlanReport;
  /** The nodes that go. */
  readonly nodes: readonly string[];
  /** The pods that are planned, as `namespace/name`. */
  readonly replacements: readonly string[];
  /** Pods that no controller makes again, as `namespace/name`. */
  readonly notRecreated: readonly string[];
  /** The groups were not read, with the reason: only free room counts. */
  readonly withoutGroups?: string;
  readonly warnings: readonly string[];
}

/**
 * Plans the pods that would leave on the other nodes. The nodes that go give no room, and their pods that leave refuse none of their replacements. Pure.
 */
export function planRoom(leaving: readonly LeavingNode[], room: Room): Omit<DrainRoom, 'withoutGroups'> {
  const drained = leaving.flatMap(({ drain }) =>
    drain.pods.filter(({ verdict }) => verdict === 'evict' || verdict === 'delete'),
  );
  const [lost, recreated] = [drained.filter(isLost), drained.filter((pod) => !isLost(pod))];
  const uids = new Set(recreated.map(({ uid }) => uid));
  const replaced = leaving
    .flatMap(({ pods }) => pods)
    .filter((pod) => uids.has(identityOf(pod).uid) && !isFinished(pod) && !isReplacedAlready(pod))
    .map(replacementOf);
  const plannable = replaced.filter((pod) => whyNotPlanned(pod) === undefined);
  const { input } = room;
  const asked = plannable.map((pod) => plannedPodOf(pod, input.surroundings));
  const gone = {
    nodes: new Set(leaving.map(({ nodeName }) => nodeName)),
    pods: new Set(drained.map(podName)),
  };
  const planned = planNodes({
    nodes: input.nodes.map((one) => withoutPods(one, gone)),
    groups: input.groups,
    pods: [...input.pending, ...asked],
  });
  const others = replaced.flatMap((pod) => {
    const reason = whyNotPlanned(pod);
    const name = podName(identityOf(pod));
    return reason === undefined ? [] : [{ name, total: 1, running: 0, pods: [], whyNotPlanned: reason }];
  });
  const names = [...gone.nodes];
  const own = {
    name: `pods of ${names.length === 1 ? names[0] : `${names.length} nodes`}`,
    total: asked.length,
    running: 0,
    pods: asked,
  };
  return {
    report: reportOf({ plan: planned, asked: [own, ...others], pending: input.pending, ...room }),
    nodes: names,
    replacements: asked.map(podName),
    notRecreated: lost.map(podName),
    warnings: input.warnings,
  };
}

const isLost = ({ reason }: PlannedPod): boolean => reason.split('; ').includes(drainNotes.unmanaged);

/** Controllers make another pod once one is terminating. That of a StatefulSet has the same name, so it comes later. */
const isReplacedAlready = (pod: Pod): boolean =>
  terminatesAt(pod) !== undefined && controllerOf(pod)?.kind !== 'StatefulSet';

/** The pod that its controller makes for one that leaves: the same without its node. */
function replacementOf({ metadata, spec }: Pod): Pod {
  const { nodeName: _, ...rest } = spec ?? { containers: [] };
  const { deletionTimestamp: __, ...kept } = metadata ?? {};
  return { metadata: kept, spec: rest };
}

interface Gone {
  readonly nodes: ReadonlySet<string>;
  readonly pods: ReadonlySet<string>;
}

function withoutPods(occupied: OccupiedNode, gone: Gone): OccupiedNode {
  if (!gone.nodes.has(occupied.node.name)) return occupied;
  return {
    ...occupied,
    node: { ...occupied.node, closed: reasons.unschedulable },
    pods: occupied.pods.filter((pod) => !gone.pods.has(podName(pod))),
  };
}
