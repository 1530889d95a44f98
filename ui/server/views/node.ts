import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { isNodeReady } from '../../../shared/nodes/node-condition.ts';
import type { LeavingView, NodeView, Seen } from '../../state/types.ts';
import { podView } from './pod.ts';

/** A Node with its pods, if they are known, and, if it leaves, the content of Drover's mark on it. */
export function nodeView(node: Node, pods?: readonly Pod[], seen: Seen = {}): NodeView {
  const mark = readLeavingMark(node.metadata?.annotations);
  return {
    name: node.metadata?.name ?? '',
    ready: isNodeReady(node),
    cordoned: node.spec?.unschedulable ?? false,
    ...(mark && { leaving: { ...leavingView(mark), ...seen } }),
    ...(pods && { pods: pods.map(podView) }),
  };
}

/** What Drover's mark says, for the page. */
export const leavingView = ({
  cause,
  since,
  until,
  waitingFor,
  andMore = 0,
  podsForced = 0,
}: Pick<
  LeavingMark,
  'cause' | 'since' | 'until' | 'waitingFor' | 'andMore' | 'podsForced'
>): LeavingView => ({
  cause,
  since: Date.parse(since),
  ...(until !== undefined && { until: Date.parse(until) }),
  waitingFor,
  andMore,
  ...(podsForced > 0 && { isForced: true }),
});
