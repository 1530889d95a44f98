import { type Definition, readDefinition } from './definition.ts';
import { parseExpression, whyNotKnown } from './expression.ts';
import type { Timing } from './occurrences.ts';
import { isTimeZone } from './time-zone.ts';

/** A schedule as EventBridge Scheduler keeps it. */
export interface ScheduleRecord {
  readonly name: string;
  readonly expression: string;
  readonly timeZone: string;
  /** Disabled schedules are paused. */
  readonly enabled: boolean;
  /** The input of its target: JSON of a `Definition`. */
  readonly input: string;
  /** Epoch milliseconds. */
  readonly startsAt?: number;
  readonly endsAt?: number;
}

/** A floor of a group that comes back at the times of an expression. */
export interface Schedule extends Definition {
  readonly name: string;
  readonly expression: string;
  readonly timing: Timing;
  readonly paused: boolean;
}

export type ScheduleReading =
  | { readonly kind: 'schedule'; readonly schedule: Schedule }
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string };

/** The schedule group of a cluster in EventBridge Scheduler. */
export const scheduleGroupOf = (clusterName: string): string => `drover-${clusterName}`;

/** With a dot and the time of an occurrence it is the name of a hold, which takes 64 characters and no underscore. */
export const scheduleNamePattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,47}$/;

/** Understands a schedule of the cluster's schedule group. People write there too, so nothing in it is certain. */
export function readSchedule(record: ScheduleRecord): ScheduleReading {
  const { name, expression, timeZone, enabled, startsAt, endsAt } = record;
  const unreadable = (why: string): ScheduleReading => ({ kind: 'unreadable', name, why });
  if (!scheduleNamePattern.test(name))
    return unreadable('its name must be at most 48 letters, digits, dots and dashes');
  const parsed = parseExpression(expression);
  if (parsed === undefined) return unreadable(whyNotKnown(expression));
  if (!isTimeZone(timeZone))
    return unreadable(`there is no time zone ${timeZone}: write one such as Europe/Berlin or UTC`);
  const reading = readDefinition(record.input);
  if (reading.kind === 'unreadable') return unreadable(`the input of its target: ${reading.why}`);
  const timing = {
    expression: parsed,
    timeZone,
    ...(startsAt !== undefined && { from: startsAt }),
    ...(endsAt !== undefined && { to: endsAt }),
  };
  return {
    kind: 'schedule',
    schedule: { ...reading.definition, name, expression, timing, paused: !enabled },
  };
}
