// @vitest-environment jsdom
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepingFocus } from '../../ui/keep-focus.ts';
import type { InstanceView } from '../../ui/state/types.ts';
import { Page } from '../../ui/view/page.tsx';
import { group, instance, leavingInstance, state } from './states.ts';
import { createScreen, noView, type Screen } from './view/support.ts';

const ids = ['i-01', 'i-02', 'i-03', 'i-04', 'i-05'] as const;
const serving = (instanceId: string): InstanceView => instance({ instanceId });
const leaving = (instanceId: string): InstanceView => leavingInstance({ instanceId });

let screen: Screen;
beforeEach(() => {
  screen = createScreen();
  screen.main.id = 'page';
  screen.main.tabIndex = -1;
});

const show = (instances: readonly InstanceView[]): void =>
  keepingFocus(() =>
    screen.draw(h(Page, { state: state({ groups: [group({ instances })] }), view: noView })),
  );
const focus = (selector: string): void => screen.main.querySelector<HTMLElement>(selector)?.focus();
const focused = () => document.activeElement;

describe('the focus', () => {
  it('stays on the button of an instance whose card moves because it begins to leave', () => {
    show([serving('i-01'), serving('i-02')]);
    focus('#i-02 .kill');
    show([serving('i-01'), leaving('i-02')]);
    expect(focused()?.textContent).toBe('Kill… i-02');
    expect(screen.all('.card[id]').map(({ id }) => id)).toEqual(['i-02', 'i-01']);
  });

  it('is on the line of the instance where its button has gone', () => {
    show(ids.slice(0, 4).map(leaving));
    focus('#i-02 .links button');
    show(ids.map(leaving));
    expect(focused()?.matches('#i-02 .toggle')).toBe(true);
  });

  it('is at the content of the page once the instance has gone', () => {
    show([serving('i-01'), serving('i-02')]);
    focus('#i-02 .kill');
    show([serving('i-01')]);
    expect(focused()).toBe(screen.main);
  });

  it('is not taken from what is still there, nor given if there is none', () => {
    show([serving('i-01')]);
    show([]);
    expect(focused()).toBe(document.body);
    show([serving('i-01')]);
    focus('#i-01 .kill');
    show([serving('i-01'), leaving('i-02')]);
    expect(focused()?.textContent).toBe('Kill… i-01');
  });
});
