import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { outputOf, root, titleOf } from '../../../scripts/site/content/pages.ts';
import { keywords } from '../../../scripts/site/search/keywords.ts';
import type { SearchRecord } from '../../../scripts/site/search/record.ts';

const shownText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`|*]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What the search knows of a page, read from its Markdown: the generator of the site is not installed where these tests run. */
export function recordsOf(page: string): readonly SearchRecord[] {
  const slugger = new GithubSlugger();
  const output = outputOf(page);
  const parts = [{ id: output, heading: '', lines: [] as string[] }];
  let fenced = false;
  for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    const [, marks = '', title = ''] = (fenced ? null : /^(#{1,4}) (.+)$/.exec(line)) ?? [];
    const heading = shownText(title);
    const slug = marks === '' ? '' : slugger.slug(heading);
    if (marks.length > 1) parts.push({ id: `${output}#${slug}`, heading, lines: [] });
    else if (marks === '') parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ id, heading, lines }) => ({
    id,
    page: titleOf(page),
    heading,
    text: shownText(lines.join('\n')),
    keywords: keywords[id] ?? '',
  }));
}
