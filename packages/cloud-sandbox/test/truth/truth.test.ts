import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../truth/claim.ts';
import { merge } from '../../truth/merge.ts';
import { render } from '../../truth/render.ts';
import { readTable, writeTable } from '../../truth/table-file.ts';

const finding = (behaviour: string, more: Partial<Finding> = {}): Finding => ({
  area: 'Queues',
  behaviour,
  world: 'sandbox',
  verdict: 'pass',
  file: 'a.test.ts',
  ...more,
});
const behavioursOf = (findings: readonly Finding[]) => findings.map(({ behaviour }) => behaviour);

describe('the findings after a run', () => {
  it('are those of the run on top of the known ones', () => {
    const found = finding('a', { verdict: 'fail' });
    expect(merge([finding('a')], [{ file: 'a.test.ts', isWhole: false, findings: [found] }])).toEqual([
      found,
    ]);
  });

  it('lose a row that a file no longer has, if the whole file ran', () => {
    const known = [finding('gone'), finding('of another file', { file: 'b.test.ts' })];
    const run = { file: 'a.test.ts', isWhole: true, findings: [finding('here')] };
    expect(behavioursOf(merge(known, [run]))).toEqual(['here', 'of another file']);
  });

  it('keep rows that a partial run did not test', () => {
    const run = { file: 'a.test.ts', isWhole: false, findings: [finding('here')] };
    expect(behavioursOf(merge([finding('kept')], [run]))).toEqual(['here', 'kept']);
  });
});

describe('the file of the table', () => {
  const findings = [
    finding('a'),
    finding('b', { verdict: 'differs', why: 'it takes "all"' }),
    finding('a', { world: 'ElasticMQ', verdict: 'not applicable', why: 'it has none' }),
  ];

  it('is read back as written', () => {
    expect(new Set(readTable(writeTable(findings)))).toEqual(new Set(findings));
  });

  it('has one line for each finding, in order', () => {
    expect(writeTable(findings)).toBe(
      [
        '[',
        '{"area":"Queues","world":"ElasticMQ","file":"a.test.ts","findings":{',
        '"a": {"not applicable":"it has none"}',
        '}},',
        '{"area":"Queues","world":"sandbox","file":"a.test.ts","findings":{',
        '"a": "pass",',
        '"b": {"differs":"it takes \\"all\\""}',
        '}}',
        ']',
        '',
      ].join('\n'),
    );
  });
});

describe('the page', () => {
  it('counts rows that passed in their only world, and lists the others', () => {
    const text = render([finding('a'), finding('b'), finding('c', { verdict: 'fail' })]);
    expect(text).toContain('Counted, not listed: 2 that passed in sandbox, the only world that was asked.');
    expect(text).toContain('| c | fail |');
    expect(text).not.toContain('| a |');
  });

  it('has a row for each behaviour, a column for each world with the sandbox first, and a note for each difference', () => {
    const text = render([
      finding('a'),
      finding('a', { world: 'ElasticMQ', verdict: 'differs', why: 'it takes | all' }),
      finding('b', { world: 'ElasticMQ', verdict: 'not applicable', why: 'it has none' }),
    ]);
    expect(text).toContain('| behaviour | sandbox | ElasticMQ |');
    expect(text).toContain('| a | pass | differs (1) |');
    expect(text).toContain('| b |  | n/a (2) |');
    expect(text).toContain('1. it takes \\| all');
    expect(text).toContain('| Queues | ElasticMQ | 0 | 1 | 1 | 0 |');
  });
});

describe('the command', () => {
  const claimed = (file: string) => ({ file, isWhole: true, findings: [finding('a', { file })] });
  const command = join(import.meta.dirname, '../../truth/main.ts');

  it('writes each finding into the table of its innermost folder, and --check reports outdated tables', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'truth-'));
    const run = (...flags: string[]) =>
      spawnSync(process.execPath, [command, ...flags, '.', 'inner'], { cwd, encoding: 'utf8' });
    for (const folder of ['reports/truth', 'docs', 'inner/docs'])
      mkdirSync(join(cwd, folder), { recursive: true });
    for (const file of ['a.test.ts', 'inner/a.test.ts']) {
      writeFileSync(join(cwd, file), '');
      writeFileSync(
        join(cwd, 'reports/truth', `${file.replaceAll('/', '-')}.json`),
        JSON.stringify(claimed(file)),
      );
    }
    try {
      expect(run('--check').status).toBe(1);
      expect(run().stdout).toContain('Findings: 1 in ., 1 in inner; from 2 test files.');
      expect(readTable(readFileSync(join(cwd, 'inner/docs/truth.json'), 'utf8'))).toEqual([finding('a')]);
      expect(run('--check').status).toBe(0);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
