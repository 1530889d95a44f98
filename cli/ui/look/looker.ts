import type { Clock } from '../../../shared/base/clock.ts';
import type { DashboardState } from '../../../ui/state/types.ts';

/** Reads the account for all open pages together. */
export interface Looker {
  /** What was last read, with the time of now. Undefined until something was. */
  readonly latest: () => DashboardState | undefined;
  /** Reads again, unless what was last read is new enough or a reading runs. Resolves once the reading is done. */
  readonly look: () => Promise<void>;
}

export interface LookerOptions {
  readonly read: () => Promise<DashboardState>;
  /** Called once something new was read. */
  readonly onRead: () => void;
  readonly clock: Clock;
}

/** From the end of a reading to the next. */
const freshMilliseconds = 5000;

/** One reading at a time, however many ask. Between two, also where the first failed, is a pause. */
export function createLooker({ read, onRead, clock }: LookerOptions): Looker {
  let latest: DashboardState | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    latest = await read();
  };
  return {
    latest: () => latest && { ...latest, now: clock.now() },
    look: async () => {
      if (clock.now() - endedAt < freshMilliseconds) return;
      running ??= start()
        .finally(() => {
          running = undefined;
          endedAt = clock.now();
        })
        .then(onRead);
      await running;
    },
  };
}
