/** Where a sweep looks, and for what. */
export interface SweepPlace {
  readonly region: string;
  readonly run?: string | undefined;
  readonly profile?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly speed?: number | undefined;
}

/** The command that sweeps this place: with `isSure` it removes, without it lists. */
export function sweepCommand(
  { region, run, profile, endpoint, speed = 1 }: SweepPlace,
  { isSure }: { readonly isSure: boolean },
): string {
  const flags = { run, region, profile, endpoint, speed: speed === 1 ? undefined : String(speed) };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return ['npm run account -- --sweep', ...words, ...(isSure ? ['--yes'] : [])].join(' ');
}

/** One word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
