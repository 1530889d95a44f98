import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** The repository. All paths of pages are relative to it, with `/`. */
export const root = join(import.meta.dirname, '../../..');

const pageGlobs = [
  'README.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'examples/**/README.md',
  'packages/*/README.md',
  'packages/*/docs/**/*.md',
];

/** The Markdown files that become pages of the site. */
export const pages: readonly string[] = globSync(pageGlobs, {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).sort();

/** The path of a page in the built site: that of its Markdown, so that relative addresses stay as they are. */
export const outputOf = (page: string): string =>
  page.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** The relative address from one page of the built site to another file of it. */
export function addressBetween(fromPage: string, output: string): string {
  const address = posix.relative(posix.dirname(outputOf(fromPage)), output);
  return address === '' ? posix.basename(output) : address;
}

/** The page that a path of the repository names: the file itself, or the README of a folder. */
export function pageAt(path: string): string | undefined {
  const readme = posix.join(path, 'README.md');
  return [path, readme].find((candidate) => pages.includes(candidate));
}

/** The path of the repository that a link of a page names; undefined if it leaves the repository or does not exist. */
export function targetOf(page: string, link: string): string | undefined {
  const path = relative(root, join(root, dirname(page), link)).replace(/\/$/, '');
  return path.startsWith('..') || !existsSync(join(root, path)) ? undefined : path;
}

const titles = new Map<string, string>();

/** The first heading of a page, without its marks. */
export function titleOf(page: string): string {
  const title = titles.get(page) ?? readTitle(page);
  titles.set(page, title);
  return title;
}

function readTitle(page: string): string {
  const [, title] = /^# +(.+)$/m.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (title === undefined)
    throw new Error(`${page} has no heading of the first level: the site needs its title`);
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}
