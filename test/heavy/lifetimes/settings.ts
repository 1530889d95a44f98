/** What can be asked of a run of the lifetimes, as environment variables. */
export interface LifetimesSettings {
  readonly firstSeed: number;
  readonly count: number;
  readonly threads: number;
}

/** `LIFETIMES_SEED=N` runs only that lifetime; `LIFETIMES_COUNT`, `LIFETIMES_FIRST` and `LIFETIMES_THREADS` set the size of a run. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): LifetimesSettings {
  const whole = (name: string): number | undefined => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new TypeError(`${name} is ${text}, and must be a whole number from 1`);
    return Number(text);
  };
  const seed = whole('LIFETIMES_SEED');
  return {
    firstSeed: seed ?? whole('LIFETIMES_FIRST') ?? 1,
    count: seed === undefined ? (whole('LIFETIMES_COUNT') ?? 10_000) : 1,
    threads: whole('LIFETIMES_THREADS') ?? 2,
  };
}
