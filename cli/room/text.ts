import { counted } from '../counted.ts';
import { oneLine } from '../plain-text.ts';
import { podName } from '../plan/report.ts';
import { refusedText } from '../plan/text.ts';
import type { DrainRoom } from './plan-room.ts';

/** Where the pods of nodes that go would go, in sentences. */
export function roomText({ report, notRecreated, withoutGroups }: DrainRoom): readonly string[] {
  const { total, groups, refused, notPlanned, workloads, pending } = report;
  const own = workloads[0]?.name;
  const placed = total.fitNow + total.onNewNodes + total.nowhere;
  const needed = groups.filter(({ newNodes }) => newNodes > 0);
  const names = needed.map(({ autoScalingGroupName, newNodes }) => `${newNodes} of ${autoScalingGroupName}`);
  const parts = [
    ...(total.onNewNodes > 0 ? [`${total.onNewNodes} on new nodes (${names.join(', ')})`] : []),
    ...(total.nowhere > 0 ? [`${total.nowhere} would stay Pending`] : []),
  ];
  const hidden =
    pending === undefined
      ? ''
      : `, beside ${counted(pending.total, 'pod that is', 'pods that are')} Pending now`;
  const summary =
    placed === 0
      ? []
      : [
          `${counted(placed, 'replacement')}: ${[`${total.fitNow} ${total.fitNow === 1 ? 'fits' : 'fit'} on other nodes now`, ...parts].join(', ')}${hidden}.`,
        ];
  return [
    ...summary,
    ...refused
      .filter(({ workload }) => workload === own)
      .flatMap(refusedText)
      .map((line) => line.trimEnd()),
    ...notPlanned.map(({ workload, reason }) => `${workload} may stay Pending: ${oneLine(reason)}`),
    ...(notRecreated.length > 0 ? [`No controller recreates ${notRecreated.join(', ')}.`] : []),
    ...(withoutGroups !== undefined && total.nowhere > 0
      ? [`Only free room is counted: ${oneLine(withoutGroups)}`]
      : []),
  ];
}

/** The same for programs. */
export interface RoomJson {
  /** The nodes that go. */
  readonly nodes: readonly string[];
  readonly fitNow: number;
  readonly onNewNodes: number;
  readonly wouldStayPending: number;
  readonly newNodes: Readonly<Record<string, number>>;
  /** The node of each replacement; null for one that would stay Pending. */
  readonly placements: readonly { readonly pod: string; readonly node: string | null }[];
  readonly refused: DrainRoom['report']['refused'];
  readonly notPlanned: readonly { readonly pod: string; readonly reason: string }[];
  readonly notRecreated: readonly string[];
  /** null if the groups were read. */
  readonly withoutGroups: string | null;
}

export const roomJson = ({
  report,
  nodes,
  replacements,
  notRecreated,
  withoutGroups,
}: DrainRoom): RoomJson => {
  const own = new Set(replacements);
  return {
    nodes,
    fitNow: report.total.fitNow,
    onNewNodes: report.total.onNewNodes,
    wouldStayPending: report.total.nowhere,
    newNodes: Object.fromEntries(report.groups.map((group) => [group.autoScalingGroupName, group.newNodes])),
    placements: report.placements
      .map(({ pod, nodeName }) => ({ pod: podName(pod), node: nodeName ?? null }))
      .filter(({ pod }) => own.has(pod)),
    refused: report.refused.filter(({ pods }) => pods.some((pod) => own.has(pod))),
    notPlanned: report.notPlanned.map(({ workload, reason }) => ({ pod: workload, reason })),
    notRecreated,
    withoutGroups: withoutGroups ?? null,
  };
};
