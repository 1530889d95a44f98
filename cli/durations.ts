import { InvalidArgumentError } from 'commander';

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads a duration as kubectl writes it (`90s`, `1h30m`), or a bare number of seconds.
 *
 * @throws InvalidArgumentError, which commander turns into a usage error.
 */
export function durationSeconds(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,7}(?:\.\d{1,3})?(?:ms|[smhd]))+$/.test(text))
    throw new InvalidArgumentError('write a duration such as 90s, 5m or 1h30m, or 0 for no limit');
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ''] ?? 0), 0);
}

/** @throws InvalidArgumentError for anything but a whole number. */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('write a whole number');
  return Number(text);
}

const units = [
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Whole seconds as people write them: `90s` as `1m30s`, two days as `48h`, nothing as `0s`. */
export function durationText(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.join('') || '0s';
}
