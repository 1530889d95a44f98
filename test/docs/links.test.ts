import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import GithubSlugger from 'github-slugger';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(
  ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/*.md', 'packages/*/docs/**/*.md'],
  {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  },
);

/** Text of a page without its code, which may look like links and headings. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replaceAll(/`[^`\n]*`\]\(/g, 'code](')
    .replaceAll(/(?<!\[)`[^`\n]*`/g, '');

/** The fragments that GitHub gives the headings of a page. */
function fragmentsOf(path: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const text = readFileSync(path, 'utf8').replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return new Set(
    [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
      slugger.slug(title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')),
    ),
  );
}

/** What is wrong with a link from one page; undefined if nothing is. */
function problemOf(page: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', fragment] = target.split('#');
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (relative(root, file).startsWith('..')) return `${target} leaves the project`;
  if (!existsSync(file)) return `${target} does not exist`;
  if (fragment === undefined || statSync(file).isDirectory() || !file.endsWith('.md')) return undefined;
  return fragmentsOf(file).has(fragment) ? undefined : `${target} has no such heading`;
}

describe('the links of the pages', () => {
  it.each(pages)('lead to files and headings that exist: %s', (page) => {
    const targets = [...proseOf(join(root, page)).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
    const problems = targets.flatMap(([, target = '']) => problemOf(page, target) ?? []);
    expect(problems).toEqual([]);
  });

  it('are found to be wrong where a heading or a file is missing', () => {
    expect(problemOf('README.md', 'docs/cli.md#no-such-heading')).toBe(
      'docs/cli.md#no-such-heading has no such heading',
    );
    expect(problemOf('docs/cli.md', 'no-such-page.md')).toBe('no-such-page.md does not exist');
    expect(problemOf('docs/cli.md', '../../outside.md')).toBe('../../outside.md leaves the project');
    expect(problemOf('README.md', 'docs/operating.md#alarms')).toBeUndefined();
  });
});
