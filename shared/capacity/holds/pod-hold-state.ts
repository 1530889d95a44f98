import { type PodsRecord, verdictAbout } from '../pod-holds/pods-reading.ts';
import type { HoldState } from './hold-state.ts';
import type { PodHold } from './pod-floor.ts';

/** prewarm reads the pods each minute. What it found before this is not what there is now. */
const oldAfterSeconds = 300;

/**
 * The state of an active hold for pods, from what prewarm has found: it is the only function that may read pods. `met`: each open pod has room on a Ready
 * node of the group. Pure.
 */
export function podHoldState(hold: PodHold, pods: PodsRecord | undefined, now: number): HoldState {
  const { failed, readAt } = pods ?? {};
  if (readAt === undefined)
    return {
      state: 'unknown',
      reason: failed?.why ?? 'prewarm has not read the pods yet: it does each minute',
    };
  const age = ageText(now - readAt);
  const old =
    failed === undefined && now - readAt <= oldAfterSeconds * 1000
      ? []
      : [failed?.why ?? 'prewarm has not read the pods since: see its log'];
  const verdict = pods && verdictAbout(pods.holds, hold.name);
  if (verdict === undefined)
    return {
      state: 'unknown',
      reason: [whyNoVerdict(hold, readAt), ...old, `read ${age} ago`].join('; '),
    };
  const { total, open, placed, why } = verdict;
  const reasons = [
    `${total - open + placed} of ${total} pods have a node or room`,
    ...(why === undefined ? [] : [why]),
    ...old,
    `read ${age} ago`,
  ];
  const isMet = placed >= open && total >= hold.pods.total;
  const state = old.length > 0 ? 'unknown' : isMet ? 'met' : 'waiting';
  return { state, reason: reasons.join('; ') };
}

/** The record has a place for the verdicts of some dozen holds. */
const whyNoVerdict = ({ createdAt }: PodHold, readAt: number): string =>
  createdAt !== undefined && createdAt > readAt
    ? 'prewarm has not read its pods yet: it does each minute'
    : 'the group has more holds for pods than its record has place for results of; this one counts all the same';

function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 60) return minutes === 1 ? '1 min' : `${minutes} min`;
  return `${Math.round(minutes / 60)} h`;
}
