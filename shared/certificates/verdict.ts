/**
 * What Drover does with a certificate request:
 * - `approve`, `deny`: written to its condition;
 * - `later`: it cannot be decided yet, and is looked at again;
 * - `conflict`: several keys ask for one name, and a person decides;
 * - `not-ours`: another approver's request, which Drover leaves alone.
 */
export type VerdictKind = 'approve' | 'deny' | 'later' | 'conflict' | 'not-ours';

export interface Verdict {
  readonly kind: VerdictKind;
  /** The check that decided. */
  readonly check: string;
  /** One sentence for an operator. */
  readonly reason: string;
}

/** A check's own part of a verdict. Undefined: the check has no objection, and the next one is asked. */
export type CheckAnswer = Omit<Verdict, 'check'> | undefined;

export const approve = (reason: string) => ({ kind: 'approve', reason }) as const;
export const deny = (reason: string) => ({ kind: 'deny', reason }) as const;
export const later = (reason: string) => ({ kind: 'later', reason }) as const;
export const conflict = (reason: string) => ({ kind: 'conflict', reason }) as const;
export const notOurs = (reason: string) => ({ kind: 'not-ours', reason }) as const;
