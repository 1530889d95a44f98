import { excerptOf } from '../search/excerpt.ts';
import type { SearchRecord } from '../search/record.ts';

export interface FoundOptions {
  readonly record: SearchRecord;
  readonly words: string;
  readonly top: URL;
}

/** A part of a page that was found, as a link with the words around the first match. */
export function foundItem({ record, words, top }: FoundOptions): HTMLLIElement {
  const { id, page, heading, text } = record;
  const [item, link] = [document.createElement('li'), document.createElement('a')];
  link.href = new URL(id, top).href;
  link.append(heading === '' ? page : `${page}: ${heading}`, small(excerptOf(text, words)));
  item.append(link);
  return item;
}

function small(text: string): HTMLElement {
  const element = document.createElement('small');
  element.textContent = text;
  return element;
}
