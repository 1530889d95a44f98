import { type PassSpan, silentMilliseconds, skewMilliseconds } from '../facts/pass-spans.ts';
import { addWait, type Waits } from './waits.ts';

/**
 * - `joined`: its Node was Ready, and our hook was completed;
 * - `abandoned`: it did not join in time, and its launch was abandoned;
 * - `over`: its wait ended in another way, such as by its timeout or a termination;
 * - `joining`, `lost`: as of leaves.
 */
export type JoinResult = 'joined' | 'abandoned' | 'over' | 'joining' | 'lost';

/** One join of one instance. Times are epoch milliseconds. */
export interface Join {
  readonly instanceId: string;
  readonly group: string | undefined;
  readonly node: string | undefined;
  readonly from: number;
  readonly end: number | undefined;
  readonly result: JoinResult;
  /** From the launch action to the completion of our hook. */
  readonly joinSeconds: number | undefined;
  readonly waits: Waits;
}

/** A pass that was killed after its completion is repeated, and finds within this time that the hook waits no longer. */
const repeatedWithinMilliseconds = 3_600_000;

/** The joins of one instance, which may join again after a warm pool. A repeated end counts once. Pure. */
export function joinsOf(instanceId: string, spans: readonly PassSpan[], until: number): readonly Join[] {
  const joins: Join[] = [];
  let open: Join | undefined;
  for (const [index, span] of spans.entries()) {
    const { fact, from, to } = span;
    const last = joins.at(-1);
    const isSoonAfter = !open && last?.end !== undefined && from - last.end < skewMilliseconds;
    if (fact.outcome === 'again') {
      if (isSoonAfter) continue;
      const next = spans[index + 1]?.from ?? until;
      const known = next - to <= silentMilliseconds ? next : to;
      open ??= begun(instanceId, span);
      open = {
        ...open,
        group: open.group ?? fact.group,
        waits: addWait(open.waits, fact.waitsFor, (known - from) / 1000),
        result: until - to > silentMilliseconds ? 'lost' : 'joining',
      };
    } else if (open || !last || from - (last.end ?? 0) > repeatedWithinMilliseconds) {
      // Into a warm pool it does not join.
      if (!fact.toWarmPool) joins.push(ended(open ?? begun(instanceId, span), span));
      open = undefined;
    }
  }
  return open ? [...joins, open] : joins;
}

const begun = (instanceId: string, { from, fact }: PassSpan): Join => ({
  instanceId,
  group: fact.group,
  node: fact.node,
  from: from - (fact.joinSeconds ?? 0) * 1000,
  end: undefined,
  result: 'joining',
  joinSeconds: undefined,
  waits: {},
});

function ended(join: Join, { fact, from }: PassSpan): Join {
  // A completion whose answer was lost is found out by the next pass, which knows the Node and not the seconds.
  const isJoined = fact.joinSeconds !== undefined || fact.node !== undefined;
  return {
    ...join,
    group: fact.group ?? join.group,
    node: fact.node,
    end: from,
    joinSeconds: fact.joinSeconds,
    result: isJoined ? 'joined' : fact.isAbandoned ? 'abandoned' : 'over',
  };
}
