import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { PodsReading } from '../../shared/capacity/pod-holds/pods-reading.ts';

/** What a plan found for a hold, in one line. */
export function podsNowText({ name }: Pick<Hold, 'name'>, reading: PodsReading): string {
  if (reading.kind === 'failed') return `whether there is room now is unknown: ${reading.why}`;
  const verdict = reading.holds[name];
  if (verdict === undefined) return `the group needs ${reading.nodes} nodes`;
  const { total, open, placed, why } = verdict;
  return [
    `now ${total - open + placed} of ${total} pods have a node or room`,
    `with this hold the group would have ${reading.nodes} nodes`,
    ...(why === undefined ? [] : [why]),
  ].join('; ');
}

/** The same as JSON. */
export function podsNowJson({ name }: Pick<Hold, 'name'>, reading: PodsReading): object {
  if (reading.kind === 'failed') return { why: reading.why };
  return { nodes: reading.nodes, ...reading.holds[name] };
}
