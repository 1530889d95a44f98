/** What can be asked of a run of the lifetimes, as environment variables. */
export interface LifetimesSettings {
  readonly firstSeed: number;
  readonly count: number;
  readonly threads: number;
}

/** Which lifetimes are lived if those that have found a planted bug do not find it any more. */
export type SearchSettings = Pick<LifetimesSettings, 'firstSeed' | 'count'>;

type Environment = Readonly<Record<string, string | undefined>>;

/** `LIFETIMES_SEED=N` runs only that lifetime; `LIFETIMES_COUNT`, `LIFETIMES_FIRST` and `LIFETIMES_THREADS` set the size of a run. */
export function readSettings(environment: Environment): LifetimesSettings {
  const seed = wholeNumber(environment, 'LIFETIMES_SEED');
  return {
    firstSeed: seed ?? wholeNumber(environment, 'LIFETIMES_FIRST') ?? 1,
    count: seed === undefined ? (wholeNumber(environment, 'LIFETIMES_COUNT') ?? 10_000) : 1,
    threads: wholeNumber(environment, 'LIFETIMES_THREADS') ?? 2,
  };
}

/** `PLANTED_FIRST` and `PLANTED_COUNT` set the size of a search. By default it ends within minutes on a busy machine. */
export const readSearchSettings = (environment: Environment): SearchSettings => ({
  firstSeed: wholeNumber(environment, 'PLANTED_FIRST') ?? 1,
  count: wholeNumber(environment, 'PLANTED_COUNT') ?? 12,
});

/** @throws TypeError if the variable is set to something else. */
function wholeNumber(environment: Environment, name: string): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new TypeError(`${name} is ${text}, and must be a whole number from 1`);
  return Number(text);
}
