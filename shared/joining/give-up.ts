import type { JoiningSettings } from './settings.ts';

/** So many launches in a row may be abandoned: replacements that fail alike are churn, and somebody has to look. */
export const mostAbandonedInARow = 3;

export type GiveUp =
  | { readonly kind: 'abandon' }
  | { readonly kind: 'hold'; readonly reason: string; readonly isBackedOff: boolean };

export interface GiveUpInput {
  readonly onFailure: JoiningSettings['onJoinFailure'];
  /** Control planes and etcd: an instance of theirs may be a member already. */
  readonly leavesOneAtATime: boolean;
  /** Launches of the group that were abandoned since the last one that succeeded; undefined where it is unknown. */
  readonly abandonedInARow: number | undefined;
}

/** Whether an instance that has not joined by its deadline is abandoned, which terminates it, or held. Pure. */
export function decideGiveUp({ onFailure, leavesOneAtATime, abandonedInARow }: GiveUpInput): GiveUp {
  if (onFailure === 'hold') return held('it is held, as its group wants');
  if (leavesOneAtATime) return held('it is held, because instances of its role may be members already');
  if (abandonedInARow === undefined)
    return held('it is held, because the activities of its group cannot be read');
  if (abandonedInARow < mostAbandonedInARow) return { kind: 'abandon' };
  return {
    ...held(`it is held, because ${abandonedInARow} launches of its group in a row were abandoned before it`),
    isBackedOff: true,
  };
}

const held = (reason: string) => ({ kind: 'hold', reason, isBackedOff: false }) as const;
