import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/migrate-nth.md', 'utf8');

interface Report {
  readonly issue: string;
  readonly isOpen: boolean;
  readonly files: readonly string[];
}

const reports: readonly Report[] = [
  ...page.matchAll(/^\| \[#(\d+)\]\([^)]*\/issues\/\1\)(, open)? \|.*\| ([^|]+) \|$/gm),
].map(([, issue = '', open, files = '']) => ({
  issue,
  isOpen: open !== undefined,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}));

/** The issues that a test file names: `NTH #718, #1188`. */
const issuesIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/NTH (#\d+(?:, #\d+)*)/g)].flatMap(([, list = '']) =>
    list.split(', ').map((one) => one.slice(1)),
  );

describe('the reports of users of AWS Node Termination Handler', () => {
  it('are at least ten that are open', () => {
    expect(reports.filter(({ isOpen }) => isOpen).length).toBeGreaterThanOrEqual(10);
    expect(reports.length).toBe(page.match(/aws-node-termination-handler\/issues\/\d+/g)?.length);
  });

  it.each(reports)('#$issue is answered by a case in the files that the page names', ({ issue, files }) => {
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(existsSync(file), file).toBe(true);
      expect(issuesIn(file), file).toContain(issue);
    }
  });
});
