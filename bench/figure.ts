/** One measured number, with what it is held against. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that it may be; absent: it is only reported. */
  readonly goal?: number;
  /** What the same thing costs with others, as measured elsewhere. */
  readonly peers?: string;
}

/** Figures that are measured together, because they are held against one another. */
export interface Suite {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  readonly run: () => Promise<readonly Figure[]>;
}

export type Verdict = 'met' | 'missed' | '';

export function verdictOf({ value, goal }: Figure): Verdict {
  if (goal === undefined) return '';
  return value <= goal ? 'met' : 'missed';
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Three significant digits are more than a run repeats. */
export const rounded = (value: number): number =>
  value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
