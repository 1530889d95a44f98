/** One measured number, with its goal and the figures of others. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that it may be; absent: it is only reported. */
  readonly goal?: number;
  /** What the same thing costs with others, as measured elsewhere. */
  readonly peers?: string;
  /** A part of another figure: in docs/performance.json, and not on the page. */
  readonly isDetail?: true;
}

/** Figures that are measured together, because they are compared. */
export interface Suite {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** @throws Error if a figure is not a number: something that should have been measured was not */
export function requireMeasured(suite: string, figures: readonly Figure[]): void {
  const missing = figures.filter(({ value }) => !Number.isFinite(value)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`${suite} did not measure: ${missing.join(', ')}`);
}

export type FigureVerdict = 'met' | 'missed' | '';

export function verdictOf({ value, goal }: Figure): FigureVerdict {
  if (goal === undefined) return '';
  return value <= goal ? 'met' : 'missed';
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A run does not reproduce more than three significant digits. */
export const rounded = (value: number): number =>
  value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
