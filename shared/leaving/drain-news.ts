import type { LeavingMark } from '../nodes/leaving-mark.ts';

interface BeforeRound {
  readonly mark: Pick<LeavingMark, 'told'>;
  /** Pods that this round, or one before, deletes past their budgets. */
  readonly podsForced: number;
  /** No pod is left to wait for: the end of the leave is near, and is told. */
  readonly isEmpty: boolean;
}

/** What is to be told before a round over the pods of a node, and that no round before has told. Pure. */
export function newsBeforeRound({
  mark,
  podsForced,
  isEmpty,
}: BeforeRound): readonly ('node-leaving' | 'drain-forced')[] {
  const news = [
    // Where EventBridge did not take it when the leave began.
    ...(isEmpty ? [] : (['node-leaving'] as const)),
    ...(podsForced > 0 ? (['drain-forced'] as const) : []),
  ] as const;
  return news.filter((one) => !wasTold(mark, one));
}

interface AfterRound {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly mark: Pick<LeavingMark, 'since' | 'told'>;
  /** Pods that do not go by themselves. */
  readonly podsHeld: number;
  readonly heldAfterSeconds: number;
}

/** The same after a round, which knows what is held. Pure. */
export function newsAfterRound({
  now,
  mark,
  podsHeld,
  heldAfterSeconds,
}: AfterRound): readonly 'drain-held'[] {
  const isHeldForLong = podsHeld > 0 && now - Date.parse(mark.since) >= heldAfterSeconds * 1000;
  return isHeldForLong && !wasTold(mark, 'drain-held') ? ['drain-held'] : [];
}

const wasTold = ({ told }: Pick<LeavingMark, 'told'>, kind: string): boolean => told?.includes(kind) === true;
