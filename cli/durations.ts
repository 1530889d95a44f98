import { InvalidArgumentError } from 'commander';
import { durationText, parseDurationSeconds } from '../shared/base/duration.ts';

/** @throws InvalidArgumentError, which commander turns into a usage error. */
export function durationSeconds(text: string): number {
  const seconds = parseDurationSeconds(text);
  if (seconds === undefined)
    throw new InvalidArgumentError('write a duration such as 90s, 5m or 1h30m, or 0 for no limit');
  return seconds;
}

/**
 * Whole seconds from a duration that has its unit: `--for 2` would be two seconds, where hours are meant.
 *
 * @throws InvalidArgumentError, which commander turns into a usage error.
 */
export function durationWithUnit(
  text: string,
  { minimum, maximum = Infinity }: { readonly minimum: number; readonly maximum?: number },
): number {
  if (/^\s*[1-9]\d*\s*$/.test(text))
    throw new InvalidArgumentError(`write the unit too, such as ${text.trim()}m or ${text.trim()}h`);
  const seconds = parseDurationSeconds(text);
  if (seconds !== undefined && Number.isInteger(seconds) && seconds >= minimum && seconds <= maximum)
    return seconds;
  const bounds = maximum === Infinity ? 'or longer' : `to ${durationText(maximum)}`;
  throw new InvalidArgumentError(`write a duration such as 90m or 2h: ${durationText(minimum)} ${bounds}`);
}

/** @throws InvalidArgumentError for anything but a whole number. */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('write a whole number');
  return Number(text);
}
