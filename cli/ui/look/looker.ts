import type { Clock } from '../../../shared/base/clock.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { nextPause, shortestPause } from '../../observation/next-pause.ts';

/** What a page shows. */
export type Shown = Pick<DashboardState, 'now' | 'readAt' | 'unknown'>;

/** Reads the account for all open pages together. */
export interface Looker<State extends Shown> {
  /** What was last read, with the time of now. Undefined until something was. */
  readonly latest: () => State | undefined;
  /** Reads again, unless what was last read is new enough or a reading runs. Resolves once the reading is done. */
  readonly look: () => Promise<void>;
  /** The same without waiting for it; `onFault` gets a mistake, once for each reading. */
  readonly refresh: () => void;
}

export interface LookerOptions<State extends Shown> {
  /** Rejects by a mistake of ours only: what cannot be read is part of the state. */
  readonly read: () => Promise<State>;
  /** The least time between two readings. */
  readonly restMilliseconds?: number;
  /** Called once something new was read. */
  readonly onRead: () => void;
  readonly onFault: (error: unknown) => void;
  readonly clock: Clock;
}

/**
 * One reading at a time, however many ask. Between two, also where the first failed, is a pause. The state says when its reading began,
 * so that the page never shows an old one as it is now: a machine may sleep for an hour.
 */
export function createLooker<State extends Shown>({
  read,
  onRead,
  onFault,
  clock,
  restMilliseconds = shortestPause,
}: LookerOptions<State>): Looker<State> {
  let latest: State | undefined;
  let ended: { readonly at: number; readonly pause: number } | undefined;
  let running: Promise<void> | undefined;
  const readOnce = async (readAt: number): Promise<void> => {
    // If nothing new could be read, the state itself includes its age.
    latest = { readAt, ...(await read()) };
  };
  const start = (): Promise<void> => {
    const readAt = clock.now();
    return readOnce(readAt)
      .finally(() => {
        running = undefined;
        const at = clock.now();
        const isThrottled = latest?.unknown.some((part) => part.isThrottled) ?? false;
        const course = { tookMilliseconds: at - readAt, isThrottled };
        const pause = nextPause(ended?.pause ?? shortestPause, course);
        ended = { at, pause: Math.max(restMilliseconds, pause) };
      })
      .then(onRead);
  };
  const rests = (): boolean => {
    if (ended === undefined) return false;
    const since = clock.now() - ended.at;
    // Otherwise a clock that was set back would stop the reads until it catches up.
    return since >= 0 && since < ended.pause;
  };
  return {
    latest: () => latest && { ...latest, now: clock.now() },
    look: async () => {
      if (rests()) return;
      running ??= start();
      await running;
    },
    refresh: () => {
      if (running || rests()) return;
      running = start();
      running.catch(onFault);
    },
  };
}
