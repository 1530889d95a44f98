import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import type { LogLine } from '../../../../local/world/log-line.ts';
import type { LifetimePlan } from '../plan/plan.ts';
import type { Spell } from '../plan/spells.ts';
import type { AnsweredCall, Call } from '../watch/call.ts';
import type { CapacityBook } from '../watch/capacity-book.ts';
import type { Census } from '../watch/census.ts';
import type { NotificationBook } from '../watch/notification-book.ts';
import type { RollBook } from '../watch/roll-book.ts';

/** What a rule may look at. */
export interface View {
  readonly now: number;
  readonly world: DroverWorld;
  readonly plan: LifetimePlan;
  readonly census: Census;
  readonly capacity: CapacityBook;
  readonly notifications: NotificationBook;
  readonly rolls: RollBook;
  /** The spells that were under way at some time since then. */
  readonly spellsSince: (since: number) => readonly Spell[];
  /** When an invocation was last left without an answer, if ever. */
  readonly lastKilledAt: number | undefined;
  /** A sweep has found more Nodes to delete than its limit allows, and waits for the operator. */
  readonly sweepWithholds: boolean;
  /** Messages that have left the queue of leaving nodes since the last moment. */
  readonly departures: readonly Departure[];
}

export interface Departure {
  readonly subject: string;
  /** What the last pass over the subject answered. */
  readonly lastOutcome: string | undefined;
  readonly othersStand: boolean;
}

/** What a rule found wrong, in words; undefined: nothing. */
export type Finding = string | undefined;

/** Something that must always hold. Each part is asked at its own occasion; all only look. */
export interface Rule {
  readonly name: string;
  readonly sentence: string;
  /** Before a call leaves a function. */
  readonly onCall?: (call: Call, view: View) => Finding;
  readonly onAnswer?: (answered: AnsweredCall, view: View) => Finding;
  readonly onLine?: (line: LogLine, view: View) => Finding;
  /** After everything that happens at one moment of simulated time. */
  readonly onMoment?: (view: View) => Finding;
  /** When all faults have ended long ago; asked until it finds nothing, or patience is over. */
  readonly atEnd?: (view: View) => Finding;
}

export interface Violation {
  readonly seed: number;
  readonly rule: string;
  readonly sentence: string;
  readonly finding: string;
  readonly at: string;
  /** What happened before, oldest first. */
  readonly before: readonly string[];
}
