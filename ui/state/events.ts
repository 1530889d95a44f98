import type { DashboardState, GroupView, PassView } from './types.ts';
import { shortName } from './words.ts';

/** Something that happened: a pass of Drover, or a line of the story. */
export interface Event {
  readonly key: string;
  readonly at: number;
  /** How a pass ended, or whose line it is. */
  readonly kind: string;
  readonly isFailure: boolean;
  readonly text: string;
  readonly pass?: PassView;
}

/** Events in a row that say the same of one subject. */
export interface FoldedEvent extends Event {
  readonly times: number;
  /** When the first of them was. */
  readonly firstAt: number;
}

/** Passes and lines of the story in one order, the newest first. Pure. */
export const eventsOf = ({ passes = [], news }: Pick<DashboardState, 'passes' | 'news'>): readonly Event[] =>
  [
    ...passes.map(
      (pass): Event => ({
        key: `pass ${pass.number}`,
        at: pass.at,
        kind: pass.outcome,
        isFailure: pass.outcome === 'failed' || pass.outcome === 'error',
        text: pass.reason,
        pass,
      }),
    ),
    ...news.map(
      ({ at, speaker, text }): Event => ({
        key: `${at} ${text}`,
        at,
        kind: speaker,
        isFailure: speaker === 'problem',
        text,
      }),
    ),
  ].toSorted((one, other) => other.at - one.at);

/** Folds events that repeat, the newest first, although events about other subjects came in between. Pure. */
export function foldEvents(events: readonly Event[]): readonly FoldedEvent[] {
  const folded: FoldedEvent[] = [];
  const last = new Map<string, number>();
  for (const event of events) {
    const about = event.pass ? `${event.pass.work} ${event.pass.subject}` : event.kind;
    const index = last.get(about);
    const newer = index === undefined ? undefined : folded[index];
    if (index !== undefined && newer?.text === event.text && newer.kind === event.kind) {
      folded[index] = { ...newer, times: newer.times + 1, firstAt: event.at };
    } else {
      last.set(about, folded.length);
      folded.push({ ...event, times: 1, firstAt: event.at });
    }
  }
  return folded;
}

/** Which events the reader wants. Empty parts match all. */
export interface EventFilter {
  /** The name of an instance, a node or a group, or any words. */
  readonly of: string;
  /** The beginning of a part of the strip. */
  readonly at?: number;
  readonly failures: boolean;
}

export const noFilter: EventFilter = { of: '', failures: false };

export const isFiltering = ({ of, at, failures }: EventFilter): boolean =>
  of.trim() !== '' || at !== undefined || failures;

/** The events that match. A name stands for all that has happened to what it names: a group for its instances, an instance for its node. Pure. */
export function filterEvents(
  events: readonly Event[],
  filter: EventFilter,
  groups: readonly GroupView[],
): readonly Event[] {
  const words = filter.of.trim().toLowerCase();
  const names = namesBehind(words, groups);
  const isAbout = (event: Event): boolean =>
    names.size > 0 ? namesIn(event).some((name) => names.has(name)) : textOf(event).includes(words);
  return events.filter(
    (event) =>
      (!filter.failures || event.isFailure) &&
      (filter.at === undefined || partAt(event.at) === filter.at) &&
      (words === '' || isAbout(event)),
  );
}

function namesBehind(words: string, groups: readonly GroupView[]): ReadonlySet<string> {
  if (words === '') return new Set();
  const found = groups.flatMap(({ autoScalingGroupName, instances }) => {
    const own = instances.map(({ instanceId, node }) => [
      instanceId,
      ...(node ? [node.name.toLowerCase(), shortName(node.name).toLowerCase()] : []),
    ]);
    return autoScalingGroupName.toLowerCase() === words
      ? [words, ...own.flat()]
      : own.filter((names) => names.includes(words)).flat();
  });
  return new Set(found);
}

const textOf = ({ pass, text, kind }: Event): string =>
  `${pass ? `${pass.subject} ${pass.work} ` : ''}${kind} ${text}`.toLowerCase();

/** The words of an event, without the punctuation around them: `workers-2` is not `workers`. */
const namesIn = (event: Event): readonly string[] => textOf(event).split(/[\s,;:()'"[\]]+|\.(?=\s|$)/);

/** The newest event of each instance, by its id. Pure. */
export function lastEvents(
  events: readonly Event[],
  groups: readonly GroupView[],
): ReadonlyMap<string, Event> {
  const idOf = new Map(
    groups.flatMap(({ instances }) =>
      instances.flatMap(({ instanceId, node }) => [
        [instanceId, instanceId] as const,
        ...(node ? [[shortName(node.name).toLowerCase(), instanceId] as const] : []),
      ]),
    ),
  );
  const last = new Map<string, Event>();
  for (const event of events)
    for (const name of namesIn(event)) {
      const id = idOf.get(shortName(name));
      if (id !== undefined && !last.has(id)) last.set(id, event);
    }
  return last;
}

const minute = 60_000;
/** The length of a part of the strip. */
export const partMilliseconds = 2 * minute;
const parts = 30;

/** A part of the last hour. */
export interface StripPart {
  readonly from: number;
  readonly count: number;
  readonly failures: number;
}

export const partAt = (at: number): number => Math.floor(at / partMilliseconds) * partMilliseconds;

/** The last hour in parts of two minutes, the oldest first: each event of the hour is in one. Pure. */
export function stripOf(events: readonly Event[], now: number): readonly StripPart[] {
  const byPart = Map.groupBy(events, ({ at }) => partAt(at));
  const last = partAt(now);
  return Array.from({ length: parts }, (_, index) => {
    const from = last - (parts - 1 - index) * partMilliseconds;
    const own = byPart.get(from) ?? [];
    return { from, count: own.length, failures: own.filter(({ isFailure }) => isFailure).length };
  });
}
