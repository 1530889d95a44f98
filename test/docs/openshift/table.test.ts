import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flavourNames } from '../../../cli/user-data/nodes/names.ts';
import { grounds } from './grounds.ts';

const pages = ['README.md', 'docs/comparison.md', 'docs/quick-start/openshift.md'];
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The lines of the table of OpenShift on a page. */
function tableOf(page: string): readonly string[] {
  const lines = readFileSync(page, 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith('| OpenShift and OKD |'));
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  return from === -1 ? [] : lines.slice(from, from + length);
}

const [head = '', , ...rows] = tableOf('README.md');

describe('what works on OpenShift', () => {
  it('is one table, for 3.11, for machine sets and for workers in Auto Scaling groups', () => {
    expect(cellsOf(head)).toHaveLength(4);
    expect(rows.length).toBeGreaterThan(8);
    for (const row of rows) expect(cellsOf(row)).toHaveLength(4);
  });

  it.each(pages)('is the same table in %s', (page) => {
    expect(tableOf(page)).toEqual(tableOf('README.md'));
  });

  it('has a ground for each cell', () => {
    expect(rows.map((row) => cellsOf(row)[0])).toEqual(Object.keys(grounds));
  });

  it.each(
    Object.values(grounds)
      .flat()
      .flatMap((ground) => (ground.kind === 'test' ? [ground] : [])),
  )('is grounded in a test that exists: $file, $title', ({ file, title }) => {
    expect(readFileSync(file, 'utf8')).toContain(title);
  });

  it.each(
    Object.values(grounds)
      .flat()
      .flatMap((ground) => (ground.kind === 'document' ? [ground.address] : [])),
  )('is grounded in a public document: %s', (address) => {
    expect(new URL(address).protocol).toBe('https:');
  });

  it('claims nothing for machine sets', () => {
    for (const row of rows.slice(1)) expect(cellsOf(row)[2]).toMatch(/^(?:no\b|not tried)/);
  });

  it('claims user data exactly for the versions of which there is a flavour', () => {
    const row = rows.find((line) => line.startsWith('| user data'));
    expect(cellsOf(row ?? '').slice(1)).toEqual(['yes', 'no', 'no']);
    expect(flavourNames.filter((name) => name.startsWith('openshift'))).toEqual(['openshift-3.11']);
  });

  it('is claimed nowhere else in a row of its own: the other table of README has no column of OpenShift', () => {
    const [works = ''] = readFileSync('README.md', 'utf8').match(/^\| \| kubeadm .*$/m) ?? [];
    expect(works).not.toMatch(/openshift|okd/i);
  });
});
