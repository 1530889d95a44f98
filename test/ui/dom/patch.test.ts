// @vitest-environment jsdom
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { element, lazy } from '../../../ui/dom/element.js';
import { patch } from '../../../ui/dom/patch.js';

let parent: HTMLElement;
beforeEach(() => {
  parent = document.createElement('main');
  document.body.replaceChildren(parent);
});

const items = (keys: readonly string[]) => keys.map((key) => element('li', { key, id: `id-${key}` }, key));

describe('a patched element', () => {
  it('looks as described, whatever it looked like before', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(keys, { minLength: 1, maxLength: 6 }), (rounds) => {
        for (const round of rounds) patch(parent, items(round));
        expect([...parent.children].map(({ textContent }) => textContent)).toEqual(rounds.at(-1));
      }),
    );
  });

  it('keeps an element with a key, and its focus, when others are added or removed before it', () => {
    const button = (key: string) => element('button', { key, type: 'button' }, key);
    patch(parent, [button('a'), button('b')]);
    const kept = parent.querySelectorAll('button')[1];
    kept?.focus();
    patch(parent, [button('new'), button('b')]);
    expect(parent.querySelectorAll('button')[1]).toBe(kept);
    expect(document.activeElement).toBe(kept);
  });

  it('keeps open the details that the reader has opened', () => {
    const details = (text: string) => element('details', {}, element('summary', {}, text));
    patch(parent, [details('one')]);
    parent.querySelector('details')?.setAttribute('open', '');
    patch(parent, [details('two')]);
    expect(parent.querySelector('details')?.hasAttribute('open')).toBe(true);
    expect(parent.textContent).toBe('two');
  });

  it('loses attributes that are no longer described', () => {
    patch(parent, [element('p', { class: 'a', hidden: true, title: 't' })]);
    patch(parent, [element('p', { class: 'b', hidden: false })]);
    expect(parent.innerHTML).toBe('<p class="b"></p>');
  });

  it('never parses text as markup', () => {
    patch(parent, [element('p', { title: '"><img>' }, '<img src=x onerror=alert(1)>')]);
    expect(parent.querySelector('img')).toBeNull();
    expect(parent.textContent).toBe('<img src=x onerror=alert(1)>');
  });

  it('does not render again if the parts of the state are the same', () => {
    const view = vi.fn((part: { readonly name: string }) => element('p', {}, part.name));
    const part = { name: 'one' };
    patch(parent, [lazy('key', view, part)]);
    const described = view.mock.calls.length;
    patch(parent, [lazy('key', view, part)]);
    expect(view).toHaveBeenCalledTimes(described);
    patch(parent, [lazy('key', view, { name: 'two' })]);
    expect(parent.textContent).toBe('two');
  });
});
