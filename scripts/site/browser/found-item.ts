import { excerptOf } from '../search/excerpt.ts';
import type { Found } from '../search/site-index.ts';

/** A part of a page that was found, as a link with the words around the first match. */
export function foundItem({ record, matched }: Found, top: URL): HTMLLIElement {
  const { id, page, heading, text } = record;
  const [item, link] = [document.createElement('li'), document.createElement('a')];
  link.href = new URL(id, top).href;
  link.append(heading === '' ? page : `${page}: ${heading}`, small(excerptOf(text, matched.join(' '))));
  item.append(link);
  return item;
}

function small(text: string): HTMLElement {
  const element = document.createElement('small');
  element.textContent = text;
  return element;
}
