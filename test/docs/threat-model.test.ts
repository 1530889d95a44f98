import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Row {
  readonly principal: string;
  readonly ability: string;
  readonly bound: string;
  readonly shown: string;
}

const principals = [
  'A node, and root on it',
  'A pod',
  'A tenant of the account',
  'A caller of the scale API',
  'A holder of Drover’s kubeconfig',
  'The network and the Internet',
  'npm and the registry',
  'The download of a release',
  'An operator’s mistake',
];

/** The rows of the tables of a page, below their headings. */
function rowsOf(page: string): readonly Row[] {
  return page.split(/^## /m).flatMap((section) => {
    const [principal = '', ...lines] = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('| '));
    return rows.slice(1).map((line) => {
      const [, ability = '', bound = '', shown = '', ...more] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      expect(more, line).toEqual(['']);
      return { principal: principal.replaceAll("'", '’'), ability, bound, shown };
    });
  });
}

const rows = rowsOf(readFileSync('docs/threat-model.md', 'utf8'));

/** What is wrong with a row: it names test files that exist, or says that none shows it. */
function problemOf({ ability, bound, shown }: Row): string | undefined {
  if (ability === '' || bound === '') return 'a cell is empty';
  if (shown === 'not shown') return undefined;
  const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  if (files.length === 0 || shown.replaceAll(/`[^`]+`|[, ]/g, '') !== '')
    return 'it names neither a test nor "not shown"';
  const wrong = files.find(
    (file) => !/^(?:test|packages\/[\w-]+\/test)\/.+\.test\.ts$/.test(file) || !existsSync(file),
  );
  return wrong && `${wrong} is not a test that exists`;
}

describe('docs/threat-model.md', () => {
  test('has a table for each principal', () => {
    expect([...new Set(rows.map(({ principal }) => principal))]).toEqual(principals);
    for (const principal of principals)
      expect(rows.filter((row) => row.principal === principal).length, principal).toBeGreaterThan(3);
  });

  test.each(rows)(
    '$principal can $ability: a test that exists shows what stops it, or none is named',
    (row) => {
      expect(problemOf(row)).toBeUndefined();
    },
  );

  test('leaves at most a third of the rows without a test', () => {
    expect(rows.filter(({ shown }) => shown === 'not shown').length).toBeLessThan(rows.length / 3);
  });

  test('takes the place of the parts about trust of other pages, which lead to it', () => {
    for (const page of ['certificates', 'openshift-3.11', 'identity', 'bootstrap-credentials']) {
      const text = readFileSync(`docs/${page}.md`, 'utf8');
      expect(text, page).toContain('](threat-model.md');
      expect(text, page).not.toMatch(/^#+ What trust remains/m);
    }
  });

  test.each([
    [{ shown: '`test/no-such.test.ts`' }, 'test/no-such.test.ts is not a test that exists'],
    [{ shown: '`docs/threat-model.md`' }, 'docs/threat-model.md is not a test that exists'],
    [{ shown: 'by hand' }, 'it names neither a test nor "not shown"'],
    [{ shown: '' }, 'it names neither a test nor "not shown"'],
    [{ shown: 'not shown', bound: '' }, 'a cell is empty'],
  ])('a row with %j is refused', (cells, problem) => {
    expect(problemOf({ principal: 'A pod', ability: 'run', bound: 'nothing', ...cells })).toBe(problem);
  });
});
