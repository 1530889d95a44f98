import type { VirtualClock } from './virtual-clock.ts';

/** Drives a simulation whose parts answer each other in promises: time moves only when no part has work left at the current time. */
export interface Timeline {
  /** Lets everything that can happen now happen. */
  settle(): Promise<void>;
  /** Lets so much time pass. */
  pass(seconds: number): Promise<void>;
  /** Lets time pass until the condition holds. Throws when it does not within so many simulated seconds. */
  until(
    condition: () => boolean,
    options: { readonly withinSeconds: number; readonly what: string },
  ): Promise<void>;
}

/** After this many turns of the event loop without any activity, no part has work left. */
const quietTurns = 3;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export interface Activity {
  /** Counts the requests to the simulated servers. While it grows, there is work. */
  readonly count: () => number;
  /** Whether a function is running: then what it awaits may come by any turn. */
  readonly isBusy: () => boolean;
}

export function createTimeline(clock: VirtualClock, activity: Activity): Timeline {
  const settle = async (): Promise<void> => {
    let seen = activity.count();
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await turn();
      if (activity.count() !== seen) {
        seen = activity.count();
        quiet = -1;
      }
    }
  };
  const passUntil = async (end: number, condition: () => boolean): Promise<boolean> => {
    await settle();
    while (!condition()) {
      if (!clock.step(end)) {
        clock.moveTo(end);
        return condition();
      }
      await turn();
      if (activity.isBusy()) await settle();
    }
    return true;
  };
  return {
    settle,
    pass: async (seconds) => {
      await passUntil(clock.now() + seconds * 1000, () => false);
    },
    until: async (condition, { withinSeconds, what }) => {
      const came = await passUntil(clock.now() + withinSeconds * 1000, condition);
      if (!came) throw new Error(`${what} did not happen within ${withinSeconds} simulated seconds`);
    },
  };
}
