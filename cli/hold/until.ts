import { InvalidArgumentError } from 'commander';
import { endAfter } from '../../shared/capacity/holds/check-hold.ts';
import { isCalendarDate } from '../calendar-date.ts';
import { durationWithUnit } from '../durations.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** The flags for the end of a hold: a duration or a time. */
export interface UntilFlags {
  /** Seconds. */
  readonly for?: number;
  /** Epoch milliseconds. */
  readonly until?: number;
}

/** @throws InvalidArgumentError for anything but a date and time with its offset from UTC. */
export function pointInTime(text: string): number {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = Date.parse(text);
  if (!isWhole || Number.isNaN(time))
    throw new InvalidArgumentError(
      'write a time with its offset, such as 2026-11-24T18:00:00+01:00 or 2026-11-24T17:00Z',
    );
  const date = text.slice(0, 10);
  if (!isCalendarDate(date)) throw new InvalidArgumentError(`the calendar has no ${date}`);
  return time;
}

/**
 * Drover reads the holds every minute, so it may never see a shorter hold.
 *
 * @throws InvalidArgumentError for a duration without a unit, or of less than a minute.
 */
export const holdDuration = (text: string): number => durationWithUnit(text, { minimum: 60 });

/** The end of a hold: a time in epoch milliseconds of whole seconds, or a duration from now. */
export type HoldEnd = { readonly until: number } | { readonly durationSeconds: number };

/** @throws CliError `usage` unless exactly one of the flags is given. */
export function holdEnd({ for: durationSeconds, until }: UntilFlags): HoldEnd {
  if (durationSeconds !== undefined && until === undefined) return { durationSeconds };
  if (until !== undefined && durationSeconds === undefined) return { until: Math.ceil(until / 1000) * 1000 };
  throw new CliError('give either --for DURATION or --until TIME', exitCodes.usage);
}

/** The end in epoch milliseconds. */
export const timeOf = (end: HoldEnd, now: number): number =>
  'until' in end ? end.until : endAfter(end.durationSeconds, now);
