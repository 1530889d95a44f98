import type { ParsedDocument, ParsedElement } from '../check/parsed.ts';
import { outputOf, titleOf } from '../content/pages.ts';
import { keywords } from './keywords.ts';
import type { SearchRecord } from './record.ts';

const separators = 'h2, h3, h4';
const isHeading = (element: ParsedElement): boolean => element.matches(separators);
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The parts of a built page, from one heading to the next. */
export function searchRecords(page: string, document: ParsedDocument): readonly SearchRecord[] {
  const output = outputOf(page);
  const title = titleOf(page);
  const parts = [{ id: output, heading: '', texts: [] as string[] }];
  for (const element of document.querySelectorAll('article > *')) {
    if (isHeading(element))
      parts.push({ id: `${output}#${element.id}`, heading: plain(element.textContent), texts: [] });
    else if (element.tagName !== 'H1') parts.at(-1)?.texts.push(textOf(element));
  }
  return parts.map(({ id, heading, texts }) => ({
    id,
    page: title,
    heading,
    text: plain(texts.join(' ')),
    keywords: keywords[id] ?? '',
  }));
}

/** Cells and items of a list are on separate lines in the source, but not always in `textContent`. */
const textOf = (element: ParsedElement): string => {
  const pieces = [...element.querySelectorAll('td, th, li, pre, p')];
  return pieces.length === 0 ? element.textContent : pieces.map(({ textContent }) => textContent).join(' ');
};
