import { type Deferred, deferred } from '../simulation/deferred.ts';
/** What becomes of the work that a handler did not await, once it has answered. */
export type UnawaitedWork = 'goes-on' | 'resumes-at-next-invocation' | 'is-lost';

/** The life of one execution environment in process: awake, frozen between two invocations, or ended. */
export interface Life {
  readonly traceHeader: () => string | undefined;
  /** It can go on at once. */
  readonly isAwake: () => boolean;
  readonly hasEnded: () => boolean;
  /** Resolves when it can go on, and never once it has ended: its code stops, as if its machine had gone. */
  readonly awake: () => Promise<void>;
  readonly wake: (traceHeader: string) => void;
  readonly freeze: (work: Exclude<UnawaitedWork, 'goes-on'>) => void;
  readonly end: () => void;
}

interface Frozen {
  readonly work: UnawaitedWork;
  readonly thawed: Deferred<void>;
}

export function createLife(): Life {
  let ended = false;
  let frozen: Frozen | undefined;
  let traceHeader: string | undefined;

  const awake = async (): Promise<void> => {
    if (frozen === undefined) return ended ? await never() : undefined;
    // Work is left: on Lambda the environment is not used again, and a new one starts.
    if (frozen.work === 'is-lost') ended = true;
    await frozen.thawed.promise;
    await awake();
  };
  return {
    traceHeader: () => traceHeader,
    isAwake: () => !ended && frozen === undefined,
    hasEnded: () => ended,
    awake,
    wake: (header) => {
      traceHeader = header;
      frozen?.thawed.resolve();
      frozen = undefined;
    },
    freeze: (work) => {
      frozen ??= { work, thawed: deferred() };
    },
    end: () => {
      ended = true;
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);
