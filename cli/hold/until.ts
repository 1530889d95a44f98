import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from '../calendar-date.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** When a hold ends: after a time, or at one. */
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
 * The end of a hold in epoch milliseconds, in whole seconds.
 *
 * @throws CliError `usage` unless exactly one of the flags is given.
 */
export function endOfHold(flags: UntilFlags, now: number): number {
  if ((flags.for === undefined) === (flags.until === undefined))
    throw new CliError('give either --for DURATION or --until TIME', exitCodes.usage);
  const end = flags.until ?? now + (flags.for ?? 0) * 1000;
  return Math.ceil(end / 1000) * 1000;
}
