import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Figure } from '../../../scripts/bench/figure.ts';
import { withFigures } from '../../../scripts/bench/page.ts';
import type { Report } from '../../../scripts/bench/report.ts';

const docs = (file: string): string => readFileSync(`docs/${file}`, 'utf8');
const page = docs('performance.md');

const reportOf = (...figures: readonly Figure[]): Report => ({
  date: '2026-01-02',
  machine: { node: 'v24.0.0', platform: 'linux x64', processors: '2 x one', memoryGiB: 8 },
  suites: { 'aws-calls': figures },
});

const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| aws-calls'));

describe('docs/performance.md', () => {
  it('shows the figures of docs/performance.json', () => {
    expect(withFigures(page, JSON.parse(docs('performance.json')) as Report)).toBe(page);
  });

  it('is given new figures between its two comments, those with others first, without details', () => {
    const total = { name: 'one node', value: 9.001, unit: 'calls', goal: 9, peers: 'NTH 5' };
    const part = { name: 'one node: SendMessage', value: 1, unit: 'calls', isDetail: true } as const;
    const alone = { name: 'one node, cold', value: 11, unit: 'calls' };
    const text = withFigures(page, reportOf(total, alone, part));
    expect(text).toContain('Measured on 2 x one (linux x64, 8 GiB), Node v24.0.0, 2026-01-02, in one run.');
    const [short = '', whole = ''] = text.split('<details><summary>All 2 figures</summary>');
    expect(rowsOf(short)).toEqual(['| aws-calls | one node | 9 calls | ≤ 9 | missed | NTH 5 |']);
    expect(rowsOf(whole)).toEqual([...rowsOf(short), '| aws-calls | one node, cold | 11 calls |  |  |  |']);
    expect(text.split('<!--')[0]).toBe(page.split('<!--')[0]);
    expect(text.split('-->').at(-1)).toBe(page.split('-->').at(-1));
  });

  it('is not written if it has lost the comments', () => {
    expect(() => withFigures('# Performance', reportOf())).toThrow('The page has no place for figures');
  });
});
