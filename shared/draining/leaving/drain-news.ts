import type { LeavingMark } from '../leaving-mark.ts';

export type DrainNews = 'node-leaving' | 'drain-held' | 'drain-forced';

export interface DrainNewsInput {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly mark: Pick<LeavingMark, 'since' | 'told'>;
  /** Pods that do not go by themselves. */
  readonly podsHeld: number;
  /** Pods that this round deleted past their budgets. */
  readonly podsForced: number;
  readonly heldAfterSeconds: number;
}

/** What a round over the pods of a node has to tell that no round before has told. Pure. */
export function drainNews({
  now,
  mark,
  podsHeld,
  podsForced,
  heldAfterSeconds,
}: DrainNewsInput): readonly DrainNews[] {
  const isHeldForLong = podsHeld > 0 && now - Date.parse(mark.since) >= heldAfterSeconds * 1000;
  const news: readonly DrainNews[] = [
    // Where EventBridge did not take it when the leave began.
    'node-leaving',
    ...(isHeldForLong ? (['drain-held'] as const) : []),
    ...(podsForced > 0 ? (['drain-forced'] as const) : []),
  ];
  return news.filter((one) => mark.told?.includes(one) !== true);
}
