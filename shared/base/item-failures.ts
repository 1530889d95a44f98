import type { Log } from './log.ts';
import { messageOf } from './message-of.ts';
import type { ItemResult } from './side-by-side.ts';

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
