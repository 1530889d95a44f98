const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a bare number of seconds (`900`), or a duration as kubectl writes it (`15m`, `1h30m`, `1.5h`); undefined for anything else. */
export function parseDurationSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,7}$/.test(trimmed)) return Number(trimmed);
  if (!/^(?:\d{1,7}(?:\.\d{1,3})?(?:ms|[smhd]))+$/.test(trimmed)) return undefined;
  const parts = trimmed.matchAll(/(?<![\d.])([\d.]+)(ms|[smhd])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ''] ?? 0), 0);
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
