// @vitest-environment jsdom
import axe from 'axe-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { patch } from '../../../ui/dom/patch.js';
import { masthead, page } from '../../../ui/view/page.js';
import { group, instance, leavingInstance, node, now, state } from '../states.ts';

let main: HTMLElement;
beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'Drover sandbox';
  const header = document.createElement('header');
  main = document.createElement('main');
  document.body.replaceChildren(header, main);
  patch(header, masthead(state(), 'live'));
});

const show = (parts: Parameters<typeof state>[0] = {}): void => patch(main, page(state(parts)));
const textOf = (selector: string): string => main.querySelector(selector)?.textContent ?? '';
const all = (selector: string): Element[] => [...main.querySelectorAll(selector)];
const cardOf = (instanceId: string): Element | undefined =>
  all('.card').find((card) => card.textContent?.includes(instanceId));

describe('the page', () => {
  it.each([
    ['something of everything', state()],
    [
      'nothing yet',
      state({ groups: [], otherNodes: [], waitingPods: [], queues: [], alarms: [], passes: [], news: [] }),
    ],
    [
      'a crowd',
      state({
        groups: [
          group({
            instances: Array.from({ length: 30 }, (_, index) =>
              instance({ instanceId: `i-${String(index).padStart(8, '0')}` }),
            ),
          }),
        ],
      }),
    ],
  ])('has no fault that axe knows of, with %s', async (_, shown) => {
    patch(main, page(shown));
    // These need a layout, which there is none of here.
    const off = { enabled: false };
    const { violations } = await axe.run(document, {
      rules: { 'color-contrast': off, 'target-size': off, 'label-content-name-mismatch': off },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  it('shows what a launched instance waits for to be in service', () => {
    const joining = 'node ip-10-0-0-6 is not Ready';
    const launched = instance({ lifecycleState: 'Pending:Wait', joining });
    show({ groups: [group({ instances: [launched, instance({ instanceId: 'i-2' })] })] });
    expect(all('.joining').map(({ textContent }) => textContent)).toEqual([`Joins: ${joining}`]);
  });

  it('shows how much of the wait for a hook is left', () => {
    show();
    expect(textOf('.wait')).toContain('1 min 1 s left');
    const bar = main.querySelector('progress');
    expect(bar?.getAttribute('value')).toBe('61');
    expect(bar?.getAttribute('max')).toBe('300');
    show({ now: now + 60_000 });
    expect(bar?.getAttribute('value')).toBe('1');
  });

  it('says why a node leaves and what it waits for', () => {
    show();
    const words = textOf('.leaving').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Drains for 30 s: Auto Scaling terminates the instance.');
    expect(words).toContain('Until 08:10:00');
    expect(all('.holding li').map(({ textContent }) => textContent)).toEqual([
      'shop/web-2 (budget web)',
      'and 3 more',
    ]);
  });

  it('shows the states of pods in words as well as in shapes', () => {
    show();
    expect(cardOf('i-0fedcba9876543210')?.querySelector('.pods-label')?.textContent).toBe(
      'Pods: 1 running, 1 ending',
    );
  });

  it('offers to interrupt spot instances only, and to terminate what does not leave yet', () => {
    show({ groups: [group({ instances: [instance(), leavingInstance()] })] });
    const actions = (instanceId: string) =>
      [...(cardOf(instanceId)?.querySelectorAll('button') ?? [])].map(
        (button) =>
          `${button.getAttribute('data-action')}${button.getAttribute('aria-disabled') === 'true' ? ' not now' : ''}`,
      );
    expect(actions('i-0123456789abcdef0')).toEqual(['terminate', 'kill']);
    expect(actions('i-0fedcba9876543210')).toEqual(['terminate not now', 'interrupt', 'kill']);
  });

  it('scales within the bounds of the group', () => {
    show({ groups: [group({ desiredCapacity: 10 })] });
    expect(
      all('.scale').map((button) => [
        button.getAttribute('data-desired-capacity'),
        button.getAttribute('aria-disabled'),
      ]),
    ).toEqual([
      ['9', null],
      ['11', 'true'],
    ]);
  });

  it('folds instances in a steady state in a large group, after the others', () => {
    const calm = Array.from({ length: 30 }, (_, index) =>
      instance({ instanceId: `i-${String(index).padStart(8, '0')}` }),
    );
    show({ groups: [group({ instances: [...calm, leavingInstance()] })], otherNodes: [] });
    expect(all('.folded')).toHaveLength(30);
    expect(all('.card')[0]?.textContent).toContain('i-0fedcba9876543210');
  });

  it('shows an instance that has not joined, and a node without a group', () => {
    show({
      groups: [
        group({ instances: [instance({ node: undefined, lifecycleState: 'Pending', ec2State: 'pending' })] }),
      ],
      otherNodes: [node({ name: 'stranger', ready: false })],
    });
    expect(textOf('.no-node')).toBe('No Node');
    expect(textOf('section[aria-labelledby="other-nodes"]')).toContain('NotReady');
  });

  it('shows no alarms if there are none', () => {
    show({ alarms: [] });
    expect(all('.alarms')).toEqual([]);
    show();
    expect(textOf('.alarms')).toContain('dead-letters since 07:59:00');
  });

  it('shows a pass in one line: subject, outcome, reason, seconds', () => {
    show();
    expect(textOf('.passes li')).toBe(
      'againi-0fedcba987654321007:59:55waits for 4 pods · took 0.3\u00a0s · again in 20\u00a0s',
    );
  });
});

describe('the masthead', () => {
  const words = (...parts: Parameters<typeof masthead>): string => {
    const header = document.createElement('header');
    patch(header, masthead(...parts));
    return header.textContent ?? '';
  };

  it('says whether what is shown is live', () => {
    expect(words(state(), 'live')).toContain('Live');
    expect(words(state(), 'lost')).toContain('Connection lost, trying again');
    expect(words(undefined, 'live')).toContain('Connecting');
  });
});
