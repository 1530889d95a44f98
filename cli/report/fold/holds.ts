import type { HeldGroup } from '../../../shared/capacity/holds/held-group.ts';
import { type LookSpan, unseenMilliseconds } from '../facts/look-spans.ts';

/**
 * - `kept`: its nodes were in service, and never missing for longer than a launch takes; those of a schedule at its time;
 * - `late`: a schedule whose nodes came after its time;
 * - `short`: nodes were missing for longer than 15 minutes;
 * - `never`: its nodes were never all in service;
 * - `waiting`: so far neither, for it still is at the end of the report, and its nodes have no longer than 15 minutes to launch in.
 */
export type HoldResult = 'kept' | 'late' | 'short' | 'never' | 'waiting';

/** One hold, as the scans saw it. Times are epoch milliseconds. */
export interface ReportedHold {
  readonly group: string;
  readonly name: string;
  readonly schedule: string | undefined;
  /** The most that it asked for: a hold for pods asks for what they need. */
  readonly nodes: number;
  readonly from: number;
  readonly to: number;
  readonly result: HoldResult;
  /** How long fewer nodes were in service than it asks for. */
  readonly shortSeconds: number;
}

export interface HeldHours {
  readonly group: string;
  /**
   * Node-hours up to the floor that the holds ask for and above the base MinSize. An autoscaler might have wanted some of these nodes without
   * the holds.
   */
  readonly nodeHours: number;
}

export interface HoldsFound {
  readonly holds: readonly ReportedHold[];
  readonly hours: readonly HeldHours[];
  /** Groups whose sizes are units of weight: their node-hours are not known. */
  readonly inUnits: readonly string[];
  /** While holds existed and no scan wrote what their groups had. */
  readonly unseenSeconds: number;
}

/** What a scan saw, and until when that is taken to be so. */
interface Seen extends LookSpan {
  readonly end: number;
}

/** What the scans saw of holds, and what that sums up to. Pure. */
export function holdsOf(spans: readonly LookSpan[], until: number): HoldsFound {
  const tracks = new Map<string, readonly Track[]>();
  const hours = new Map<string, number>();
  const inUnits = new Set<string>();
  let unseen = 0;
  for (const [index, span] of spans.entries()) {
    const next = Math.min(until, spans[index + 1]?.from ?? until);
    const isSeen = next - span.to <= unseenMilliseconds;
    const seen: Seen = { ...span, end: isSeen ? next : span.to };
    const isHeld = mayHold(span) || mayHold(spans[index + 1]);
    if (!isSeen && isHeld) unseen += next - span.to;
    if (span.held === undefined) unseen += seen.end - span.from;
    for (const group of span.held ?? []) {
      if (group.countsUnits) inUnits.add(group.group);
      else hours.set(group.group, (hours.get(group.group) ?? 0) + nodeMilliseconds(group, seen));
      for (const hold of group.holds) {
        const key = `${group.group}/${hold.name}`;
        const known = tracks.get(key)?.at(-1);
        // A scan without it lies between: it is another hold of the same name.
        const isSame = known?.lastIndex === index - 1;
        const track = tracked(isSame ? known : undefined, { group, hold, seen }, index);
        const before = tracks.get(key) ?? [];
        tracks.set(key, [...(isSame ? before.slice(0, -1) : before), track]);
      }
    }
  }
  return {
    holds: [...tracks.values()]
      .flat()
      .map((track) => toReported(track, until))
      .toSorted((one, other) => one.from - other.from),
    hours: [...hours].map(([group, sum]) => ({ group, nodeHours: sum / 3_600_000 })),
    inUnits: [...inUnits],
    unseenSeconds: unseen / 1000,
  };
}

const mayHold = (span: LookSpan | undefined): boolean =>
  span !== undefined && (span.held === undefined || span.held.length > 0);

function nodeMilliseconds({ base, asked, maxSize, instances }: HeldGroup, { from, end }: Seen): number {
  const kept = Math.min(instances, asked, maxSize) - base;
  return Math.max(0, kept) * (end - from);
}

interface Track extends Omit<ReportedHold, 'result'> {
  readonly wasMet: boolean;
  /** Since when nodes are missing. */
  readonly lackSince: number | undefined;
  readonly longestLack: number;
  readonly wasShortAtStart: boolean;
  /** The last span that has it. */
  readonly lastIndex: number;
}

interface SeenHold {
  readonly group: HeldGroup;
  readonly hold: HeldGroup['holds'][number];
  readonly seen: Seen;
}

function tracked(known: Track | undefined, { group, hold, seen }: SeenHold, lastIndex: number): Track {
  const { from, end } = seen;
  const track = known ?? begun({ group, hold, seen });
  const isShort = group.inService < hold.nodes;
  const lackSince = isShort ? (track.lackSince ?? from) : undefined;
  const start = startOf(hold);
  return {
    ...track,
    lastIndex,
    nodes: Math.max(track.nodes, hold.nodes),
    to: end,
    wasMet: track.wasMet || !isShort,
    shortSeconds: track.shortSeconds + (isShort ? (end - from) / 1000 : 0),
    lackSince,
    longestLack: Math.max(track.longestLack, lackSince === undefined ? 0 : end - lackSince),
    wasShortAtStart:
      track.wasShortAtStart || (isShort && start !== undefined && from <= start && start < end),
  };
}

const begun = ({ group, hold, seen }: SeenHold): Track => ({
  group: group.group,
  name: hold.name,
  schedule: hold.schedule,
  nodes: hold.nodes,
  from: seen.from,
  to: seen.end,
  shortSeconds: 0,
  wasMet: false,
  lackSince: undefined,
  longestLack: 0,
  wasShortAtStart: false,
  lastIndex: -1,
});

/** The hold of a schedule ends its name with its time, as in `morning.20260105T0800Z`. */
function startOf({ name, schedule }: SeenHold['hold']): number | undefined {
  if (schedule === undefined) return undefined;
  const [, day, hour, minute] = /\.(\d{8})T(\d\d)(\d\d)Z$/.exec(name) ?? [];
  if (day === undefined) return undefined;
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const time = Date.parse(`${date}T${hour}:${minute}:00Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** `drover status` and the notification `hold-unmet` name a lack after the same time. */
const lackMilliseconds = 900_000;

function toReported(track: Track, until: number): ReportedHold {
  const { wasMet, lackSince: _, lastIndex: __, longestLack, wasShortAtStart, ...hold } = track;
  const isLong = longestLack > lackMilliseconds;
  if (!wasMet) return { ...hold, result: track.to === until && !isLong ? 'waiting' : 'never' };
  if (isLong) return { ...hold, result: 'short' };
  return { ...hold, result: wasShortAtStart ? 'late' : 'kept' };
}
