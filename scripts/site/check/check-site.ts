import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, siteProblems } from './links.ts';
import { parsePage } from './parse-page.ts';

/** Checks the links, anchors and images of a built site. Resolves with what is wrong, a line each. */
export async function checkSite(directory: string): Promise<readonly string[]> {
  const files = globSync('**', { cwd: directory }).filter((path) => statSync(join(directory, path)).isFile());
  const pages = [];
  for (const path of files.filter((file) => file.endsWith('.html')))
    pages.push(await parsePage(join(directory, path), (document) => readPage(path, document)));
  if (pages.length === 0) return [`${directory} has no page`];
  return siteProblems(pages, new Set(files));
}
