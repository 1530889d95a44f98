import type { TimerClock } from './clock.ts';
import type { Log } from './log.ts';
import { messageOf } from './message-of.ts';
import { NoAnswerInTimeError, withinTime } from './within-time.ts';

/** What happened to an item: its call was answered or not, or was not made because the time of all was used. */
type Reached = 'answered' | 'silent' | 'not-asked';

/** Which items got no answer the last time. An environment of a function keeps it between its runs. */
export interface Silence<Item> {
  /** Returns the same items: first those that were not asked the last time, last those that got no answer. */
  readonly silentLast: <Same extends Item>(items: readonly Same[]) => readonly Same[];
  readonly note: (item: Item, reached: Reached) => void;
}

/** An item is forgotten as soon as a call for it is answered. Keeps at most `most` items, the newest. */
export function createSilence<Item>(keyOf: (item: Item) => string, most = 10_000): Silence<Item> {
  const known = new Map<string, Reached>();
  const rank = (item: Item): number => ranks[known.get(keyOf(item)) ?? 'answered'];
  return {
    silentLast: (items) => items.toSorted((one, other) => rank(one) - rank(other)),
    note: (item, reached) => {
      const key = keyOf(item);
      known.delete(key);
      if (reached === 'answered') return;
      known.set(key, reached);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}

const ranks: Readonly<Record<Reached, number>> = { 'not-asked': 0, answered: 1, silent: 2 };

export interface SideBySideOptions<Item> {
  readonly clock: TimerClock;
  /** How many calls run at the same time. */
  readonly atOnce: number;
  /** The longest time of one call. */
  readonly eachMilliseconds: number;
  /** The longest time of all calls together. A call that has not begun by then is not made. */
  readonly togetherMilliseconds: number;
  readonly silence?: Silence<NoInfer<Item>>;
}

/** The result of a call for one item. */
export type ItemResult<Item, Result> = { readonly item: Item } & PromiseSettledResult<Result>;

/**
 * Calls something for each item, a few at a time, and gives every result in the order of the items. It never rejects: an item that fails
 * stops no other. An item without an answer occupies one place for its time, and fails with a NoAnswerInTimeError. Its call may go on, and
 * that result is ignored.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
  { clock, atOnce, eachMilliseconds, togetherMilliseconds, silence }: SideBySideOptions<Item>,
): Promise<readonly ItemResult<Item, Result>[]> {
  const endsAt = clock.now() + togetherMilliseconds;
  const ordered = silence?.silentLast(items) ?? items;
  const results = new Map<Item, PromiseSettledResult<Result>>();
  const settle = async (item: Item): Promise<PromiseSettledResult<Result>> => {
    const milliseconds = Math.min(eachMilliseconds, endsAt - clock.now());
    if (milliseconds <= 0) {
      silence?.note(item, 'not-asked');
      return { status: 'rejected', reason: notAsked(togetherMilliseconds) };
    }
    const [result] = await Promise.allSettled([withinTime(clock, milliseconds, calling(call, item))]);
    const isSilent = result.status === 'rejected' && result.reason instanceof NoAnswerInTimeError;
    silence?.note(item, isSilent ? 'silent' : 'answered');
    return result;
  };
  const queue = ordered.values();
  const work = async (): Promise<void> => {
    for (const item of queue) results.set(item, await settle(item));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return items.map((item) => ({
    item,
    ...(results.get(item) ?? { status: 'rejected', reason: notAsked(togetherMilliseconds) }),
  }));
}

/** A call may throw before it returns a promise. */
const calling = async <Item, Result>(call: (item: Item) => Promise<Result>, item: Item): Promise<Result> =>
  await call(item);

const notAsked = (milliseconds: number): NoAnswerInTimeError =>
  new NoAnswerInTimeError(`not asked: the calls before it have used the ${milliseconds / 1000} s of all`);

/** What could not be read or done for one item. */
export interface ItemFailure {
  /** The item in words, e.g. `the hooks of group workers`. */
  readonly item: string;
  readonly error: unknown;
}

/** The failures among results, each with its item in words. */
export const failuresOf = <Item>(
  results: readonly ItemResult<Item, unknown>[],
  describe: (item: Item) => string,
): readonly ItemFailure[] =>
  results.flatMap((result) =>
    result.status === 'rejected' ? [{ item: describe(result.item), error: result.reason as unknown }] : [],
  );

/** The results of the items that were answered. */
export const valuesOf = <Item, Result>(
  results: readonly ItemResult<Item, Result>[],
): ReadonlyMap<Item, Result> =>
  new Map(
    results.flatMap((result) =>
      result.status === 'fulfilled' ? [[result.item, result.value] as const] : [],
    ),
  );

const mostItems = 20;

/** Logs one line for each reason, with the items that failed for it: a call for many items fails for all of them at once. */
export function logFailures(log: Log, message: string, failures: readonly ItemFailure[]): void {
  for (const [, same] of Map.groupBy(failures, ({ error }) => messageOf(error)))
    log.error(message, same[0]?.error, {
      count: same.length,
      items: same.slice(0, mostItems).map(({ item }) => item),
    });
}

/** The failures as a run returns them. */
export const reasonsOf = (
  failures: readonly ItemFailure[],
): readonly { readonly item: string; readonly reason: string }[] =>
  failures.map(({ item, error }) => ({ item, reason: messageOf(error) }));

/** The failures for the message of an error. */
export function describeFailures(failures: readonly ItemFailure[]): string {
  const described = failures.slice(0, mostItems).map(({ item, error }) => `${item}: ${messageOf(error)}`);
  const more = failures.length - described.length;
  return [...described, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** Rejects with the first failure, but only after every call has ended: no call may act after its pass has ended. */
export async function allSettledOrThrow(calls: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(calls);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
