import { cpus, totalmem } from 'node:os';
import Table from 'cli-table3';
import { type Figure, rounded, verdictOf } from './figure.ts';

/** Where and with what the figures were measured: they mean little without. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly processors: string;
  readonly memoryGiB: number;
}

export interface Report {
  readonly date: string;
  readonly machine: Machine;
  readonly suites: Readonly<Record<string, readonly Figure[]>>;
}

export function machine(): Machine {
  const processors = cpus();
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processors: `${processors.length} x ${processors[0]?.model ?? 'unknown'}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

export function table(figures: readonly Figure[]): string {
  const lines = new Table({
    head: ['figure', 'value', 'goal', '', 'others'],
    colAligns: ['left', 'right', 'right', 'left', 'left'],
    style: { head: [], border: [] },
  });
  for (const figure of figures) {
    const { name, value, unit, goal, peers } = figure;
    const limit = goal === undefined ? '' : `<= ${goal}`;
    lines.push([name, `${rounded(value)} ${unit}`, limit, verdictOf(figure), peers ?? '']);
  }
  return lines.toString();
}
