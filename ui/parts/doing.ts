import { createContext } from 'preact';
import type { ReportCalls } from '../report-calls.ts';
import type { Place } from '../state/command-at.ts';
import type { ConsoleLinks } from '../state/console-links.ts';
import type { RollDeed } from '../state/rolls.ts';

/** What a button asks the sandbox for. */
export type Action =
  | { readonly action: 'terminate' | 'interrupt' | 'kill'; readonly instanceId: string }
  | { readonly action: 'scale'; readonly autoScalingGroupName: string; readonly desiredCapacity: number }
  | { readonly action: 'roll'; readonly name: string; readonly deed: RollDeed };

/** What the page asks before it acts. Each press of a button is another question, also about the same thing. */
export interface Question {
  readonly title: string;
  /** What comes of it. */
  readonly text: string;
  readonly keep: string;
  readonly deed: string;
  readonly action: Action;
}

/** What the parts of the page can do; the functions stay the same, so that views compare them by identity. */
export interface Doing {
  /** Whether the page may change what it shows: a real account is only read. */
  readonly canAct: boolean;
  readonly act: (action: Action) => void;
  /** Asks the reader first. */
  readonly confirm: (question: Question) => void;
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void;
  /** Shows an instance with all that is known of it. */
  readonly select: (instanceId: string) => void;
  /** Shows what has happened to an instance, a node or a group. */
  readonly showEvents: (of: string) => void;
  /** Undefined if the server reads no reports, like `showReport`. */
  readonly reports?: ReportCalls;
  /** Shows the report of a group. */
  readonly showReport?: (group: string) => void;
  /** What each command to copy names; undefined if the page is that of the only cluster. */
  readonly place?: Place | undefined;
  /** Undefined if there is no account. */
  readonly links?: ConsoleLinks | undefined;
}

const nothing = (): void => undefined;

export const Doings = createContext<Doing>({
  canAct: true,
  act: nothing,
  confirm: nothing,
  copy: nothing,
  select: nothing,
  showEvents: nothing,
});
