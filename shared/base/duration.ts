const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads `900`, `900s`, `15m`, `2h` or `1d` as seconds; undefined for anything else. */
export function parseDurationSeconds(text: string): number | undefined {
  const match = /^(\d{1,7})([smhd]?)$/.exec(text.trim());
  const unit = unitSeconds[match?.[2] ?? 'none'];
  return match?.[1] === undefined || unit === undefined ? undefined : Number(match[1]) * unit;
}
