import { type ComponentChild, h, render } from 'preact';
import { askedIn } from '../../../ui/address.ts';
import { Page, type PageView } from '../../../ui/view/page.tsx';
import { state } from '../states.ts';

/** What the reader has asked for: nothing. */
export const noView: PageView = {
  ...askedIn(''),
  setSearch: () => undefined,
  setFilter: () => undefined,
  setReport: () => undefined,
  selected: undefined,
};

/** The part of a document in which views are shown. */
export function createScreen() {
  const main = document.createElement('main');
  document.body.replaceChildren(main);
  const draw = (view: ComponentChild): void => render(view, main);
  return {
    main,
    draw,
    show: (parts: Parameters<typeof state>[0] = {}, view: Partial<PageView> = {}): void =>
      draw(h(Page, { state: state(parts), view: { ...noView, ...view } })),
    textOf: (selector: string): string =>
      (main.querySelector(selector)?.textContent ?? '').replaceAll(/\s+/g, ' '),
    all: (selector: string): Element[] => [...main.querySelectorAll(selector)],
  };
}

export type Screen = ReturnType<typeof createScreen>;
