import { createContext } from 'preact';
import type { ConsoleLinks } from '../state/console-links.ts';

/** What a button asks the sandbox for. */
export type Action =
  | { readonly action: 'terminate' | 'interrupt' | 'kill'; readonly instanceId: string }
  | { readonly action: 'scale'; readonly autoScalingGroupName: string; readonly desiredCapacity: number };

/** What the parts of the page can do; the functions stay the same, so that views compare them by identity. */
export interface Doing {
  /** Whether the page may change what it shows: a real account is only read. */
  readonly canAct: boolean;
  readonly act: (action: Action) => void;
  /** Asks the reader first. */
  readonly confirmKill: (instanceId: string) => void;
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void;
  /** Shows an instance with all that is known of it. */
  readonly select: (instanceId: string) => void;
  /** Shows what has happened to an instance, a node or a group. */
  readonly showEvents: (of: string) => void;
  /** Undefined if there is no account. */
  readonly links?: ConsoleLinks | undefined;
}

const nothing = (): void => undefined;

export const Doings = createContext<Doing>({
  canAct: true,
  act: nothing,
  confirmKill: nothing,
  copy: nothing,
  select: nothing,
  showEvents: nothing,
});
