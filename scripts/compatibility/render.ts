import { debianEtcdVersion, versions } from '@drover/cloud-sandbox/real/versions.ts';
import type { Result } from './result.ts';
import { suiteOf, versionedSuites } from './suites.ts';

const programs = { kubernetes: 'Kubernetes', etcd: 'etcd' } as const;
type Program = keyof typeof programs;

/** The columns of a table: the versions that a run can choose, from the oldest. */
export const columnsOf = (program: Program): readonly string[] => {
  const all: readonly string[] = versions[program];
  return (program === 'etcd' ? [debianEtcdVersion, ...all] : all).toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
};

/** The tables of docs/compatibility.md: a row for each suite, a column for each version. Markdown. */
export const render = (results: readonly Result[]): string =>
  (['kubernetes', 'etcd'] as const)
    .map((program) => `## ${programs[program]}\n\n${table(program, results)}`)
    .join('\n\n');

function table(program: Program, results: readonly Result[]): string {
  const columns = columnsOf(program);
  const rows = versionedSuites
    .filter((suite) => suite.program === program)
    .map((suite) => {
      const ofSuite = results.filter(({ file }) => suiteOf(file) === suite);
      return [
        suite.name,
        ...columns.map((version) => cell(ofSuite.filter((one) => one.version === version))),
      ];
    });
  const head = ['suite', ...columns];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The counts of all files of a suite, and the day of the oldest result. */
function cell(results: readonly Result[]): string {
  if (results.length === 0) return '';
  const sum = (what: 'passed' | 'failed'): number => results.reduce((total, one) => total + one[what], 0);
  const since = results.map(({ date }) => date).toSorted()[0];
  const failed = sum('failed');
  return `${sum('passed')} passed${failed === 0 ? '' : `, **${failed} failed**`}, ${since}`;
}

/** Versions that the written part of the page names in the first cell of a row, and that no table has. */
export const unknownVersions = (written: string): readonly string[] => {
  const known = new Set((['kubernetes', 'etcd'] as const).flatMap(columnsOf).map(minorOf));
  const named = [...written.matchAll(/^\| (?:Kubernetes|etcd) (\d+\.\d+)[^|]*\|/gm)].map(
    ([, version = '']) => version,
  );
  return named.filter((version) => !known.has(version));
};

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
