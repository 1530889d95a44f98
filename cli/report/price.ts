import { InvalidArgumentError } from 'commander';

/** Dollars for an hour of a node. */
export interface Prices {
  /** For groups without a price of their own. */
  readonly each?: number;
  readonly byGroup: ReadonlyMap<string, number>;
}

/** Without `--price`. */
export const noPrices: Prices = { byGroup: new Map() };

/**
 * Adds a price of the command line: `0.096`, or `workers=0.096` for one group.
 *
 * @throws InvalidArgumentError, which commander turns into a usage error.
 */
export function addPrice(text: string, { each, byGroup }: Prices = noPrices): Prices {
  const [, group, amount = ''] = /^(?:(.+)=)?([^=]*)$/.exec(text) ?? [];
  const price = /^\d{1,6}(?:\.\d{1,6})?$/.test(amount) ? Number(amount) : Number.NaN;
  if (Number.isNaN(price))
    throw new InvalidArgumentError('write dollars for an hour of a node such as 0.096, or workers=0.096');
  if (group === undefined) return { each: price, byGroup };
  return { ...(each !== undefined && { each }), byGroup: new Map([...byGroup, [group, price]]) };
}

/** The price of node-hours; null if the group has none. */
export function priceOf(
  { group, nodeHours }: { readonly group: string; readonly nodeHours: number },
  { each, byGroup }: Prices,
): number | null {
  const price = byGroup.get(group) ?? each;
  return price === undefined ? null : nodeHours * price;
}
