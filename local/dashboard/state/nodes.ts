import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/draining/leaving-mark.ts';
import { podView } from './pods.ts';
import type { LeavingView, NodeView } from './state.ts';

/** A Node with its pods and, where it leaves, what Drover's mark on it says. */
export function nodeView(node: Node, pods: readonly Pod[]): NodeView {
  const mark = readLeavingMark(node.metadata?.annotations);
  return {
    name: node.metadata?.name ?? '',
    ready:
      node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    cordoned: node.spec?.unschedulable ?? false,
    ...(mark && { leaving: leavingView(mark) }),
    pods: pods.map(podView),
  };
}

const leavingView = ({ cause, since, until, waitingFor, andMore = 0 }: LeavingMark): LeavingView => ({
  cause,
  since: Date.parse(since),
  ...(until !== undefined && { until: Date.parse(until) }),
  waitingFor,
  andMore,
});
