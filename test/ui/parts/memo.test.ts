// @vitest-environment jsdom
import { h, render } from 'preact';
import { expect, it } from 'vitest';
import { memo } from '../../../ui/parts/memo.ts';

it('a view with a memory is rendered again once one of its properties has changed, and only then', () => {
  let renders = 0;
  const Count = memo(({ count, name }: { readonly count: number; readonly name: string }) => {
    renders += 1;
    return `${name} ${count}`;
  });
  const place = document.createElement('div');
  for (const count of [1, 1, 2]) render(h(Count, { count, name: 'pods' }), place);
  expect(place.textContent).toBe('pods 2');
  expect(renders).toBe(2);
  render(h(Count, { count: 2, name: 'nodes' }), place);
  expect(place.textContent).toBe('nodes 2');
});
