import { existsSync } from 'node:fs';
import { versions } from '@drover/cloud-sandbox/real/versions.ts';
import { describe, expect, it } from 'vitest';
import { columnsOf, render, unknownVersions } from '../../../scripts/compatibility/render.ts';
import { mergeResults, type Result, resultSchema } from '../../../scripts/compatibility/result.ts';
import { otherRuns, suiteOf, versionedSuites } from '../../../scripts/compatibility/suites.ts';

const drain = 'test/contract/kubectl-drain/kubectl-drain.real.test.ts';
const result = (change: Partial<Result> = {}): Result => ({
  file: drain,
  version: versions.kubernetes[0],
  date: '2026-11-28',
  passed: 5,
  failed: 0,
  ...change,
});

describe('the suites with versions', () => {
  it('name files and folders that exist, each once', () => {
    const paths = versionedSuites.flatMap((suite) => suite.paths);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('are found by a file, not by the beginning of the name of a folder', () => {
    expect(suiteOf(drain)?.program).toBe('kubernetes');
    expect(suiteOf('test/contract/etcd/operator.real.test.ts')?.name).toBe('etcd under Drover');
    expect(suiteOf('test/contract/etcd-api/etcd-api.real.test.ts')?.name).toBe("Drover's etcd client");
    expect(suiteOf('test/contract/roles/roles.real.test.ts')).toBeUndefined();
  });
});

it('the runs with --whole and the default one have each version', () => {
  const runs = [{ kubernetes: versions.kubernetes[0], etcd: versions.etcd[0] }, ...otherRuns()];
  expect(new Set(runs.map(({ kubernetes }) => kubernetes))).toEqual(new Set(versions.kubernetes));
  expect(new Set(runs.map(({ etcd }) => etcd))).toEqual(new Set(versions.etcd));
});

describe('the results of runs', () => {
  it('are replaced by newer ones of the same file and version, and kept otherwise', () => {
    const old = result({ date: '2026-01-01', failed: 2 });
    const other = result({ version: versions.kubernetes[1] });
    expect(mergeResults([old, other], [result()])).toEqual([result(), other]);
  });

  it.each([{ version: '1.36' }, { date: 'today' }, { passed: -1 }, { failed: 0.5 }])(
    'are refused with %o',
    (wrong) => {
      expect(resultSchema.safeParse({ ...result(), ...wrong }).success).toBe(false);
    },
  );
});

describe('the tables of versions', () => {
  it('have a column for each version that a run can choose, from the oldest', () => {
    expect(columnsOf('kubernetes')).toEqual([...versions.kubernetes].toSorted());
    expect(columnsOf('etcd')).toHaveLength(versions.etcd.length + 1);
    expect(columnsOf('etcd')[0]).toMatch(/^3\.4\./);
  });

  it('count the tests of all files of a suite, name failures, and have the day of the oldest run', () => {
    const [folder = ''] = suiteOf('packages/cloud-sandbox/test/contract/etcd/etcd.real.test.ts')?.paths ?? [];
    const [version] = versions.etcd;
    const text = render([
      result({ file: `${folder}/etcd.real.test.ts`, version, passed: 40 }),
      result({
        file: `${folder}/srv-records.real.test.ts`,
        version,
        passed: 6,
        failed: 1,
        date: '2026-11-27',
      }),
    ]);
    expect(text).toContain('| 46 passed, **1 failed**, 2026-11-27 |');
    expect(text.match(/passed/g)).toHaveLength(1);
  });

  it('have every version that the page describes', () => {
    const line = (program: string): string => `| ${program} | what is different | what it means |`;
    expect(unknownVersions(['Kubernetes 1.36', 'etcd 3.4', 'etcd 3.7'].map(line).join('\n'))).toEqual([]);
    expect(unknownVersions(['Kubernetes 1.33', 'etcd 3.8 and later'].map(line).join('\n'))).toEqual([
      '1.33',
      '3.8',
    ]);
  });
});
