import { isDeepStrictEqual } from 'node:util';
import { noValue, whether } from './markers.ts';

/** The same part of the template where one switch is off. Undefined: it has no such part. */
export interface Off {
  readonly condition: string;
  readonly value: unknown;
}

/** Names the condition that all of these hold. */
export type Both = (conditions: readonly string[]) => string;

type Record_ = Readonly<Record<string, unknown>>;

/**
 * One value for a part that switches change: the part with everything on, with `Fn::If` where a switch changes it. A part that is
 * missing under several switches is there if all of them are on. Pure.
 */
export function merge(on: unknown, offs: readonly Off[], both: Both): unknown {
  const changed = offs.filter(({ value }) => !isDeepStrictEqual(value, on));
  if (changed.length === 0) return on;
  const alike = changed.filter(({ value }) => isMergeable(on, value));
  const others = changed.filter((off) => !alike.includes(off));
  return chosen(others, alike.length === 0 ? on : mergeInside(on, alike, both), both);
}

/** The conditions of a resource or an output that is missing where they are off. */
export const missingUnder = (offs: readonly Off[]): readonly string[] =>
  offs.filter(({ value }) => value === undefined).map(({ condition }) => condition);

function chosen(others: readonly Off[], on: unknown, both: Both): unknown {
  const [first, ...rest] = others;
  if (!first) return on;
  const same = others.filter(({ value }) => isDeepStrictEqual(value, first.value));
  const different = rest.filter((off) => !same.includes(off));
  const condition = both(same.map((off) => off.condition));
  return whether(condition, chosen(different, on, both), first.value ?? noValue);
}

function mergeInside(on: unknown, alike: readonly Off[], both: Both): unknown {
  if (Array.isArray(on)) return mergeLists(on, alike, both);
  const record = on as Record_;
  return Object.fromEntries(
    Object.keys(record).map((key) => [
      key,
      merge(
        record[key],
        alike.map(({ condition, value }) => ({ condition, value: (value as Record_)[key] })),
        both,
      ),
    ]),
  );
}

const mergeLists = (on: readonly unknown[], alike: readonly Off[], both: Both): readonly unknown[] =>
  on.map((item) =>
    merge(
      item,
      alike.map(({ condition, value }) => ({
        condition,
        value: (value as readonly unknown[]).find((other) => identityOf(other) === identityOf(item)),
      })),
      both,
    ),
  );

/** Objects or lists, of which the one with the switch off has no part of its own. */
function isMergeable(on: unknown, off: unknown): boolean {
  if (Array.isArray(on)) return Array.isArray(off) && isWithin(off.map(identityOf), on.map(identityOf));
  return isRecord(on) && isRecord(off) && Object.keys(off).every((key) => key in on);
}

/** In the same order, each once. */
const isWithin = (some: readonly string[], every: readonly string[]): boolean =>
  new Set(every).size === every.length &&
  isDeepStrictEqual(
    every.filter((one) => some.includes(one)),
    some,
  );

const isRecord = (value: unknown): value is Record_ =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isIntrinsic(value);

export const isIntrinsic = (value: object): boolean =>
  Object.keys(value).length === 1 && /^(?:Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? '');

/** What an item of a list is known by, as its properties may differ. */
function identityOf(item: unknown): string {
  const { Sid, PolicyName, Id, Key, Description }: Record_ = isRecord(item) ? item : {};
  return JSON.stringify(Sid ?? PolicyName ?? Id ?? Key ?? Description ?? item);
}
