import type { SearchRecord } from '../search/record.ts';
import { type SiteIndex, siteIndex } from '../search/site-index.ts';
import { foundItem } from './found-item.ts';

const shown = 12;

/** The search over all pages. What it knows is loaded when it is used first. */
export function startSearch(top: URL): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = box?.querySelector('input');
  const found = box?.querySelector<HTMLElement>('.found');
  const [status, list] = [found?.querySelector('p'), found?.querySelector('ul')];
  if (!box || !input || !found || !status || !list) return;
  const index = once(() => loadIndex(top));

  const show = async (): Promise<void> => {
    const words = input.value.trim();
    found.hidden = words === '';
    if (words === '') return;
    const search = await index();
    // The words may have changed while the index was loaded.
    if (words !== input.value.trim()) return;
    const results = search.search(words);
    status.textContent = countText(results.length);
    list.replaceChildren(...results.slice(0, shown).map((found) => foundItem(found, top)));
  };
  const close = (): void => {
    found.hidden = true;
  };
  const showOrSay = (): void => {
    show().catch((error: unknown) => {
      list.replaceChildren();
      status.textContent = `The search cannot be loaded: ${String(error)}`;
    });
  };

  box.hidden = false;
  input.addEventListener('input', showOrSay);
  input.addEventListener('focus', showOrSay);
  box.addEventListener('keydown', (event) => moveFocus({ event, input, list, close }));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close();
  });
}

const countText = (count: number): string => {
  if (count === 0) return 'Nothing found';
  return count > shown ? `The best ${shown} of ${count}` : `${count} found`;
};

/** A failed attempt is repeated by the next use. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

async function loadIndex(top: URL): Promise<SiteIndex> {
  const response = await fetch(new URL('assets/search.json', top));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return siteIndex((await response.json()) as readonly SearchRecord[]);
}

interface FocusMove {
  readonly event: KeyboardEvent;
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  readonly close: () => void;
}

/** The arrows move between the words and what was found; Escape closes. */
function moveFocus({ event, input, list, close }: FocusMove): void {
  const places = [input, ...list.querySelectorAll('a')];
  const at = places.findIndex((place) => place === document.activeElement);
  if (event.key === 'Escape') {
    input.focus();
    close();
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  places[at + step]?.focus();
}
