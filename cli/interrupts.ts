/** What asks a running command of this process to end. */
export interface Interrupts {
  /** As `Machine.onInterrupt`: the first signal calls the listener, the next one ends the process. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /**
   * Asks as a signal does, as often as wanted: only the first time counts. False if no command listens, or the one that did has
   * ended: then nothing has to be brought to a safe point.
   */
  readonly interrupt: () => boolean;
}

/** Ctrl-C; what `timeout`, systemd and CI systems send; and a terminal that is closed. Node listens to the last one also under `nohup`. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The signals that this process gets. */
export function createInterrupts(): Interrupts {
  const running = new Set<() => void>();
  return {
    onInterrupt: (listener) => {
      let isAsked = false;
      // Node ends the process at a signal without a listener.
      const stopListening = (): void => {
        for (const signal of signals) process.off(signal, ask);
      };
      const ask = (): void => {
        stopListening();
        if (isAsked) return;
        isAsked = true;
        listener();
      };
      for (const signal of signals) process.on(signal, ask);
      running.add(ask);
      return () => {
        stopListening();
        running.delete(ask);
      };
    },
    interrupt: () => {
      for (const ask of running) ask();
      return running.size > 0;
    },
  };
}
