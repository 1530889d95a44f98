import type { SimulationClock } from '../simulation/clock.ts';

/** A state as it was, for reads that are behind. */
export interface Past<State> {
  /** The state so many seconds ago, or the oldest that is kept; undefined: the one of now. */
  ago(seconds: number | undefined): State | undefined;
}

export const noPast: Past<never> = { ago: () => undefined };

/** Reads of AWS are seconds behind, not minutes. */
const keptMilliseconds = 60_000;

/** Copies a state every second of simulated time. */
export function keepPast<State>(clock: SimulationClock, copy: () => State): Past<State> {
  const kept: { readonly at: number; readonly state: State }[] = [];
  const keep = (): void => {
    kept.push({ at: clock.now(), state: copy() });
    if (clock.now() - (kept[0]?.at ?? 0) > keptMilliseconds) kept.shift();
    clock.after(1000, keep);
  };
  keep();
  return {
    ago: (seconds = 0) => {
      if (seconds <= 0) return undefined;
      const at = clock.now() - seconds * 1000;
      return (kept.findLast((one) => one.at <= at) ?? kept[0])?.state;
    },
  };
}
