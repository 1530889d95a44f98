import * as z from 'zod/mini';

/** What a read at the pods found for one hold. */
export interface PodVerdict {
  readonly total: number;
  /** How many of them are not bound to a node. */
  readonly open: number;
  /** How many of the open pods fit on Ready nodes of the group now. */
  readonly placed: number;
  /** How many of them no further node of the group would take, or MaxSize is in the way. Left out for none. */
  readonly withoutPlace?: number;
  /** Why others do not fit; undefined if all do. */
  readonly why?: string;
}

/**
 * What one read found for a group: the least number of nodes at which what runs there and what is open fit, and the verdicts by the name of the hold.
 * `failed`: nothing could be read or planned, so the last number stays.
 */
export type PodsReading =
  | {
      readonly kind: 'read';
      /** Epoch milliseconds at which the read began: what is found may be newer, never older. */
      readonly readAt: number;
      readonly nodes: number;
      readonly holds: PodVerdicts;
    }
  | { readonly kind: 'failed'; readonly readAt: number; readonly why: string };

export type PodVerdicts = Readonly<Record<string, PodVerdict>>;

/** The verdict about a hold, which may have any name: an object has a `constructor` without having a verdict about it. */
export const verdictAbout = (holds: PodVerdicts, name: string): PodVerdict | undefined =>
  Object.hasOwn(holds, name) ? holds[name] : undefined;

/** What the record of the floor remembers of the reads at the pods. */
export interface PodsRecord {
  /** 0 if no read has succeeded yet. */
  readonly nodes: number;
  /** Epoch milliseconds of the last read that succeeded. */
  readonly readAt?: number;
  readonly holds: PodVerdicts;
  /** Why no read has succeeded since. */
  readonly failed?: { readonly why: string; readonly since: number };
}

const count = () => z.int().check(z.nonnegative());
const longestReason = 1000;
const why = () => z.string().check(z.maxLength(longestReason));
/** Of a parameter with its path, so that no name of a hold is longer. */
const longestName = 2048;
const verdicts = () =>
  z.record(
    z.string().check(z.maxLength(longestName)),
    z.object({
      total: count(),
      open: count(),
      placed: count(),
      withoutPlace: z.optional(count()),
      why: z.optional(why()),
    }),
  );

/** The reading in a message. */
export const podsReadingSchema = () =>
  z.union([
    z.object({ readAt: z.iso.datetime(), nodes: count(), holds: verdicts() }),
    z.object({ readAt: z.iso.datetime(), why: why() }),
  ]);

export type PodsReadingJson = z.infer<ReturnType<typeof podsReadingSchema>>;

export function podsReadingOf({ readAt, ...rest }: PodsReadingJson): PodsReading {
  const at = Date.parse(readAt);
  return 'why' in rest
    ? { kind: 'failed', readAt: at, why: rest.why }
    : { kind: 'read', readAt: at, nodes: rest.nodes, holds: verdictsOf(rest.holds) };
}

/** SQS sends at most 1 MiB at once, in which ten groups have a message. */
const mostBytesOfMessage = 90_000;

/** Reasons are cut, because a message that cannot be sent or read would keep all holds of the group from their pass. */
export function podsReadingJson(reading: PodsReading): PodsReadingJson {
  const readAt = new Date(reading.readAt).toISOString();
  if (reading.kind === 'failed') return { readAt, why: cutText(reading.why, longestReason) };
  return { readAt, nodes: reading.nodes, holds: withShorterReasons(reading.holds, mostBytesOfMessage) };
}

/** The part of the record of a floor. */
export const podsRecordSchema = () =>
  z.object({
    nodes: count(),
    readAt: z.optional(z.iso.datetime()),
    holds: verdicts(),
    failed: z.optional(z.object({ why: why(), since: z.iso.datetime() })),
  });

export const podsRecordOf = ({
  nodes,
  readAt,
  holds,
  failed,
}: z.infer<ReturnType<typeof podsRecordSchema>>): PodsRecord => ({
  nodes,
  ...(readAt !== undefined && { readAt: Date.parse(readAt) }),
  holds: verdictsOf(holds),
  ...(failed && { failed: { why: failed.why, since: Date.parse(failed.since) } }),
});

const verdictsOf = (parsed: z.infer<ReturnType<typeof verdicts>>): PodVerdicts =>
  Object.fromEntries(
    Object.entries(parsed).map(([name, { why: reason, withoutPlace, ...counts }]) => [
      name,
      {
        ...counts,
        ...(withoutPlace !== undefined && { withoutPlace }),
        ...(reason !== undefined && { why: reason }),
      },
    ]),
  );

export const podsRecordJson = ({ nodes, readAt, holds, failed }: PodsRecord): object => ({
  nodes,
  ...(readAt !== undefined && { readAt: new Date(readAt).toISOString() }),
  holds,
  ...(failed && { failed: { why: failed.why, since: new Date(failed.since).toISOString() } }),
});

/** The rest of the record takes up to 2,000 characters of a parameter's 4,096. */
const mostCharacters = 2000;

/** The lengths to which reasons are cut, one after the other, until all verdicts have their place. */
const reasonLengths = [longestReason, 400, 200, 100, 50];

function withShorterReasons(holds: PodVerdicts, mostBytes: number): PodVerdicts {
  const cutTo = (length: number): PodVerdicts =>
    Object.fromEntries(Object.entries(holds).map(([name, verdict]) => [name, cutReason(verdict, length)]));
  const length = reasonLengths.find((one) => bytesOf(cutTo(one)) <= mostBytes);
  return cutTo(length ?? 0);
}

/** The verdicts as far as they have a place in the record of a floor: shorter reasons first, then fewer holds. A hold without a verdict is unknown. */
export function fittingVerdicts(holds: PodVerdicts): PodVerdicts {
  const kept = Object.entries(withShorterReasons(holds, mostCharacters));
  while (bytesOf(Object.fromEntries(kept)) > mostCharacters) kept.pop();
  return Object.fromEntries(kept);
}

function cutReason({ why: reason, ...counts }: PodVerdict, length: number): PodVerdict {
  if (reason === undefined) return counts;
  return { ...counts, why: cutText(reason, length) };
}

/** The same by the bytes that the text takes in JSON. */
export function cutToBytes(text: string, most: number): string {
  let length = Math.min(text.length, most);
  while (length > 0 && bytesOf(cutText(text, length)) > most) length -= 1;
  return cutText(text, length);
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Text that is cut shows that it is. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
