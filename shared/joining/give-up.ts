import type { JoiningSettings } from './settings.ts';

/** How many launches in a row may be abandoned. If the replacements fail as well, the operator has to find out why. */
const mostAbandonedInARow = 3;

export type GiveUp =
  | { readonly kind: 'abandon' }
  | { readonly kind: 'hold'; readonly reason: string; readonly isBackedOff: boolean };

interface GiveUpInput {
  readonly onFailure: JoiningSettings['onJoinFailure'];
  /** Whether the role is control-plane or etcd: such an instance may already be a member. */
  readonly leavesOneAtATime: boolean;
  /** How many launches of the group were abandoned since the last one that succeeded; undefined if unknown. */
  readonly abandonedInARow: number | undefined;
}

/** Whether an instance that has not joined by its deadline is held or abandoned. ABANDON terminates it. */
export function decideGiveUp({ onFailure, leavesOneAtATime, abandonedInARow }: GiveUpInput): GiveUp {
  if (onFailure === 'hold') return held('it is held, as configured for its group');
  if (leavesOneAtATime) return held('it is held, because instances of its role may already be members');
  if (abandonedInARow === undefined)
    return held('it is held, because the activities of its group cannot be read');
  if (abandonedInARow < mostAbandonedInARow) return { kind: 'abandon' };
  return {
    ...held(`it is held, because ${abandonedInARow} launches of its group in a row were abandoned before it`),
    isBackedOff: true,
  };
}

const held = (reason: string) => ({ kind: 'hold', reason, isBackedOff: false }) as const;
