// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { group, leavingInstance, node, pod, state } from '../states.ts';
import { createScreen } from './support.ts';

it('shows as held the pods that a budget holds, not those that end by themselves', () => {
  const { leaving } = leavingInstance().node ?? node();
  const waitingFor = ['shop/held (budget web)', 'shop/ends (it ends)'];
  const pods = [pod({ uid: 'u1', name: 'shop/held' }), pod({ uid: 'u2', name: 'shop/ends' })];
  const draining = node({ pods, ...(leaving && { leaving: { ...leaving, waitingFor } }) });
  const screen = createScreen();
  screen.show({ groups: [group({ instances: [leavingInstance({ node: draining })] })] });
  expect(screen.textOf('.content .pods-label')).toBe('Pods: 1 running, 1 held by a budget');
});

it('lists the budgets that allow nothing, and counts the others', () => {
  const [strict] = state().budgets;
  const screen = createScreen();
  screen.show({
    budgets: strict ? [{ ...strict, name: 'shop/loose', allowed: 1, healthy: 2, expected: 2 }, strict] : [],
  });
  expect(screen.all('.budgets .name').map(({ textContent }) => textContent)).toEqual(['shop/web']);
  expect(screen.textOf('.budgets')).toContain('and 1 that allows a disruption');
});
