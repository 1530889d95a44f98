import type { Machine } from '../../cli/context.ts';

/** Ctrl-C on a simulated machine. */
export function createKeyboard(): {
  readonly onInterrupt: NonNullable<Machine['onInterrupt']>;
  readonly pressCtrlC: () => void;
  /** Whether a command keeps Ctrl-C from ending the process. */
  readonly isHeld: () => boolean;
} {
  const listeners = new Set<() => void>();
  return {
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pressCtrlC: () => {
      for (const listener of listeners) {
        listeners.delete(listener);
        listener();
      }
    },
    isHeld: () => listeners.size > 0,
  };
}
