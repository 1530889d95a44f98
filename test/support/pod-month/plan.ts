import { createRandom } from '@drover/cloud-sandbox/simulation';
import { independentMoment } from '../../shared/capacity/schedules/independent.ts';
import { type Dice, diceOf } from '../lifetimes/plan/dice.ts';
import { type App, appNames, apps } from './cluster.ts';
import { type FaultKind, faultKinds } from './weather.ts';

export const minute = 60_000;
const day = 1440;

export const groupNames = ['workers', 'batch'] as const;
export type GroupName = (typeof groupNames)[number];

/** A hold: of nodes, or for pods of an app, or for so much room at all times. */
export interface PlannedHold {
  readonly group: GroupName;
  readonly name: string;
  readonly asks:
    | { readonly kind: 'nodes'; readonly nodes: number }
    | { readonly kind: 'pods' | 'headroom'; readonly app: App; readonly total: number }
    /** It ends once all its pods were bound at one scan. */
    | { readonly kind: 'job'; readonly app: App; readonly total: number };
  readonly raiseMaxSize: boolean;
}

export type Deed =
  | { readonly kind: 'hold'; readonly hold: PlannedHold; readonly minutes: number }
  | { readonly kind: 'extend' | 'end'; readonly hold: PlannedHold }
  | { readonly kind: 'scale'; readonly app: App; readonly replicas: number }
  | { readonly kind: 'set-min' | 'lower-max' | 'raise-max'; readonly group: GroupName; readonly size: number }
  | { readonly kind: 'set-desired'; readonly group: GroupName; readonly share: number }
  | { readonly kind: 'cordon' | 'terminate' | 'standby' | 'replace-group'; readonly group: GroupName }
  /** Two scans at once, between which pods come or go. */
  | { readonly kind: 'two-scans'; readonly app: App; readonly replicas: number }
  | { readonly kind: 'repeat-message' };

/** A schedule of each day, at a local time. */
export interface PlannedSchedule {
  readonly name: string;
  readonly hold: Omit<PlannedHold, 'name'>;
  /** `HH:MM` in the time zone. */
  readonly time: string;
  readonly timeZone: string;
  readonly durationMinutes: number;
  readonly leadMinutes: number;
  /** Epoch milliseconds: the last day is without it. */
  readonly endsAt: number;
  /** The times at which it occurs in the month (epoch milliseconds), computed without Drover. */
  readonly occurrences: readonly number[];
}

/** A month: times are minutes since its begin. */
export interface MonthPlan {
  readonly seed: number;
  readonly startsAt: number;
  readonly minutes: number;
  readonly schedules: readonly PlannedSchedule[];
  readonly deeds: ReadonlyMap<number, readonly Deed[]>;
  readonly faults: readonly PlannedFault[];
}

interface PlannedFault {
  readonly kind: FaultKind;
  readonly from: number;
  readonly to: number;
}

/** Clocks in Berlin change on 29 March and on 25 October 2026: each of these months has one of the days. */
const begins = ['2026-03-09', '2026-10-05'];

/** Draws a month of the seed, or fewer days. */
export function planMonth(seed: number, days: number): MonthPlan {
  const dice = diceOf(createRandom(seed));
  const begin = dice.pick(begins);
  const startsAt = Date.parse(`${begin}T00:00:00Z`);
  const minutes = days * day;
  const deeds = new Map<number, Deed[]>();
  const put = (at: number, deed: Deed): void => {
    // The last hours are for what comes back by itself.
    if (at < minutes - 60) deeds.set(at, [...(deeds.get(at) ?? []), deed]);
  };
  const schedules = schedulesOf(begin, days);
  const faults: PlannedFault[] = [];
  for (let today = 0; today < minutes; today += day) {
    drawDay(dice, today, put);
    faults.push(...drawFaults(dice, today));
  }
  for (const { hold, occurrences } of schedules)
    for (const at of occurrences) drawPods(dice, hold, { from: (at - startsAt) / minute, put });
  return { seed, startsAt, minutes, schedules, deeds, faults };
}

const drawFaults = (dice: Dice, today: number): readonly PlannedFault[] =>
  Array.from({ length: 4 }, () => {
    const from = today + dice.integer(0, day - 60);
    return { kind: dice.pick(faultKinds), from, to: from + dice.integer(4, 45) };
  });

type Put = (at: number, deed: Deed) => void;

const mostPods: Readonly<Record<App, number>> = { web: 22, api: 9, other: 6, report: 9, cache: 14 };
/** Others set these, and holds of nodes ask for more. */
const baseSizes = [1, 2, 3];

function drawDay(dice: Dice, today: number, put: Put): void {
  const anyTime = (): number => today + dice.integer(0, day - 1);
  const group = (): GroupName => dice.pick(groupNames);
  const often = (count: number, draw: (at: number) => void): void => {
    const whole = Math.floor(count) + (dice.chance(count % 1) ? 1 : 0);
    for (let index = 0; index < whole; index += 1) draw(anyTime());
  };
  often(4, (at) => drawHold(dice, at, put));
  often(8, (at) => {
    const app = dice.pick(appNames);
    put(at, { kind: 'scale', app, replicas: dice.integer(0, Math.floor(mostPods[app] / 3)) });
  });
  often(0.7, (at) => put(at, { kind: 'set-min', group: group(), size: dice.pick(baseSizes) }));
  often(1.5, (at) => {
    const chosen = group();
    put(at, { kind: 'lower-max', group: chosen, size: dice.integer(2, 4) });
    put(at + dice.integer(30, 200), { kind: 'raise-max', group: chosen, size: dice.integer(11, 14) });
  });
  often(0.5, (at) => put(at, { kind: 'set-desired', group: group(), share: dice.next() }));
  for (const kind of ['cordon', 'terminate', 'standby'] as const)
    often(1, (at) => put(at, { kind, group: group() }));
  often(0.3, (at) => put(at, { kind: 'replace-group', group: group() }));
  often(10, (at) => {
    const app = dice.pick(appNames);
    put(at, { kind: 'two-scans', app, replicas: dice.integer(0, mostPods[app]) });
  });
  often(2, (at) => put(at, { kind: 'repeat-message' }));
}

function drawHold(dice: Dice, at: number, put: Put): void {
  const app = dice.pick(appNames);
  const total = dice.integer(1, mostPods[app]);
  const kind = dice.pick(['pods', 'pods', 'pods', 'nodes', 'headroom', 'job'] as const);
  const hold: PlannedHold = {
    group: kind === 'nodes' ? dice.pick(groupNames) : apps[app].pool,
    name: `hold-${at}`,
    asks: kind === 'nodes' ? { kind, nodes: dice.integer(5, 8) } : { kind, app, total },
    raiseMaxSize: dice.chance(0.3),
  };
  const minutes = dice.integer(30, 300);
  put(at, { kind: 'hold', hold, minutes });
  if (dice.chance(0.2)) put(at + dice.integer(5, minutes - 5), { kind: 'extend', hold });
  if (dice.chance(0.2)) put(at + dice.integer(5, minutes - 5), { kind: 'end', hold });
  drawPods(dice, hold, { from: at, put });
}

/** The pods that a hold waits for come some time later, and go. */
function drawPods(
  dice: Dice,
  { asks }: Pick<PlannedHold, 'asks'>,
  { from, put }: { readonly from: number; readonly put: Put },
): void {
  if (asks.kind === 'nodes' || !dice.chance(0.7)) return;
  const comesAt = from + dice.integer(1, 90);
  const { app, total } = asks;
  put(comesAt, { kind: 'scale', app, replicas: Math.ceil(total / 2) });
  put(comesAt + dice.integer(1, 30), { kind: 'scale', app, replicas: total });
  put(comesAt + dice.integer(40, 240), { kind: 'scale', app, replicas: dice.integer(0, 2) });
}

function schedulesOf(begin: string, days: number): readonly PlannedSchedule[] {
  const endsAt = Date.parse(begin) + (days - 1) * day * minute;
  const daily = (schedule: Omit<PlannedSchedule, 'endsAt' | 'occurrences'>): PlannedSchedule => ({
    ...schedule,
    endsAt,
    occurrences: datesFrom(begin, days)
      .flatMap((date) => independentMoment(`${date}T${schedule.time}`, schedule.timeZone) ?? [])
      .filter((at) => at < endsAt),
  });
  return [
    daily({
      name: 'sale',
      hold: { group: 'workers', asks: { kind: 'pods', app: 'web', total: 16 }, raiseMaxSize: false },
      time: '09:00',
      timeZone: 'Europe/Berlin',
      durationMinutes: 120,
      leadMinutes: 15,
    }),
    // On the day of spring on which clocks skip this time it does not occur, and on that of autumn once.
    daily({
      name: 'night',
      hold: { group: 'batch', asks: { kind: 'job', app: 'report', total: 6 }, raiseMaxSize: true },
      time: '02:30',
      timeZone: 'Europe/Berlin',
      durationMinutes: 60,
      leadMinutes: 20,
    }),
    daily({
      name: 'office',
      hold: { group: 'workers', asks: { kind: 'nodes', nodes: 5 }, raiseMaxSize: false },
      time: '07:30',
      timeZone: 'UTC',
      durationMinutes: 180,
      leadMinutes: 15,
    }),
  ];
}

const datesFrom = (begin: string, days: number): readonly string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(begin) + index * day * minute).toISOString().slice(0, 10),
  );
