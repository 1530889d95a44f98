/** A seeded source of chance (mulberry32): the same seed gives the same run. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [minimum, maximum]. */
  integer(minimum: number, maximum: number): number;
  pick<T>(items: readonly T[]): T;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  uuid(): string;
  /** Bytes for a key or a token. */
  readonly secretBytes: (size: number) => Uint8Array;
  /** Hexadecimal digits for a key or a token. */
  secretHex(digits: number): string;
}

/**
 * Secrets come from the seed too, so that a run in process replays exactly. On real ports anyone could compute them: hand
 * `secretBytes` in there.
 */
export function createRandom(
  seed: number,
  { secretBytes }: Partial<Pick<Random, 'secretBytes'>> = {},
): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (minimum: number, maximum: number): number =>
    minimum + Math.floor(next() * (maximum - minimum + 1));
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('');
  return {
    next,
    integer,
    hex,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new RangeError('cannot pick from an empty list');
      return item;
    },
    secretBytes: secretBytes ?? ((size) => Uint8Array.from({ length: size }, () => integer(0, 255))),
    secretHex: (digits) =>
      secretBytes === undefined
        ? hex(digits)
        : Buffer.from(secretBytes(Math.ceil(digits / 2)))
            .toString('hex')
            .slice(0, digits),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
