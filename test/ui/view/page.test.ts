// @vitest-environment jsdom
import axe from 'axe-core';
import { h, render } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PassView } from '../../../ui/state/types.ts';
import { Masthead } from '../../../ui/view/masthead.tsx';
import { Page } from '../../../ui/view/page.tsx';
import { group, instance, leavingInstance, node, now, state } from '../states.ts';
import { createScreen, noView, type Screen } from './support.ts';

const [firstPass] = state().passes as [PassView];
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    instance({ instanceId: `i-${String(index).padStart(8, '0')}` }),
  );

let screen: Screen;
beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'Drover sandbox';
  screen = createScreen();
});

describe('the page', () => {
  it.each([
    ['something of everything', state()],
    ['nothing yet', state({ groups: [], otherNodes: [], waitingPods: [], queues: [], passes: [], news: [] })],
    ['a heatmap', state({ groups: [group({ instances: [...many(30), leavingInstance()] })] })],
  ])('has no fault that axe knows of, with %s', async (_, shown) => {
    screen.show(shown);
    const heading = document.createElement('h1');
    heading.textContent = 'Drover';
    screen.main.prepend(heading);
    // These need a layout, which there is none of here: the suite of the browser has them.
    const off = { enabled: false };
    const { violations } = await axe.run(document, {
      rules: { 'color-contrast': off, 'target-size': off, 'label-content-name-mismatch': off },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  it('begins with the day and the time of what is old: it may be from another day', () => {
    screen.draw(h(Page, { state: state(), oldSince: now, view: noView }));
    expect(screen.textOf('.sentence')).toMatch(/^As of 2026-01-05 08:00:00: /);
  });

  it('has the instances that leave or join first in their group, with the step that each is at', () => {
    const joining = instance({
      instanceId: 'i-0aaaaaaaaaaaaaaaa',
      lifecycleState: 'Pending:Wait',
      lastPass: 'node ip-10-0-0-6 is not Ready',
      node: node({ ready: false }),
    });
    screen.show({ groups: [group({ instances: [instance(), joining, leavingInstance()] })] });
    expect(screen.all('.card[id]').map(({ id }) => id)).toEqual([
      'i-0fedcba9876543210',
      'i-0aaaaaaaaaaaaaaaa',
      'i-0123456789abcdef0',
    ]);
    expect(screen.all('.steps [aria-current="step"]').map(({ textContent }) => textContent)).toEqual([
      'Pods leave',
      'Ready',
    ]);
    expect(screen.textOf('.last-pass')).toBe('Joins: node ip-10-0-0-6 is not Ready');
  });

  it('freezes the drain of a Node that cannot be read, with the time at which it was read', () => {
    const leaving = leavingInstance().node?.leaving;
    const seen = leaving && { ...leaving, seenAt: now - 10_000 };
    const old = leavingInstance({ node: node({ ...(seen && { leaving: seen }) }) });
    for (const at of [now, now + 3_600_000]) {
      screen.show({ now: at, groups: [group({ instances: [old] })] });
      expect(screen.textOf('.drain')).toContain('Drains for 20 s as of 07:59:50: Auto Scaling');
      expect(screen.textOf('.deadline')).toBe('forced at 08:10:00 at the latest, as of 07:59:50');
      expect(screen.main.querySelector('.deadline progress')?.getAttribute('value')).toBe('610000');
    }
  });

  it('shows the deadline of a drain as the long bar, and the heartbeat as another one', () => {
    screen.show();
    const bar = (selector: string) => screen.main.querySelector(selector)?.getAttribute('value');
    expect(screen.textOf('.deadline')).toBe('forced at 08:10:00 at the latest, in 10 min');
    expect(bar('.deadline progress')).toBe('600000');
    expect(bar('.heartbeat progress')).toBe('61');
    screen.show({ now: now + 60_000 });
    expect(bar('.deadline progress')).toBe('540000');
    expect(bar('.heartbeat progress')).toBe('1');
  });

  it('says why a node leaves, which pods a budget holds, and what would help', () => {
    screen.show();
    expect(screen.textOf('.drain')).toContain('Drains for 30 s: Auto Scaling terminates the instance.');
    expect(screen.all('.holding li').map(({ textContent }) => textContent)).toEqual([
      'shop/web-2 budget web',
      'and 3 more',
    ]);
    expect(screen.textOf('.remedy')).toBe('web allows 0 of 1: scale its workload to 2, or relax it.');
    expect(screen.textOf('.content .pods-label')).toBe('Pods: 1 running, 1 held by a budget');
  });

  it('shows the age of an instance, and what has last happened to it', () => {
    const old = leavingInstance({ launchedAt: now - 7_500_000 });
    screen.show({ groups: [group({ instances: [old, instance()] })] });
    expect(screen.textOf(`#${old.instanceId} .age`)).toBe('2 h old');
    expect(screen.textOf(`#${old.instanceId} .last-event`)).toBe('07:59 waits for 4 pods');
    expect(screen.all('.last-event')).toHaveLength(1);
    expect(screen.all('.age')).toHaveLength(1);
  });

  it('offers to interrupt spot instances only, and to terminate what does not leave yet', () => {
    screen.show({ groups: [group({ instances: [instance(), leavingInstance()] })], otherNodes: [] });
    const buttons = (id: string) =>
      screen
        .all(`#${id} .buttons button`)
        .map(
          (button) =>
            `${button.firstChild?.textContent}${button.getAttribute('aria-disabled') === 'true' ? ' not now' : ''}`,
        );
    expect(buttons('i-0123456789abcdef0')).toEqual(['Terminate', 'Kill…']);
    expect(buttons('i-0fedcba9876543210')).toEqual(['Terminate not now', 'Interrupt', 'Kill…']);
  });

  it('scales within the bounds of the group', () => {
    screen.show({ groups: [group({ desiredCapacity: 10 })] });
    expect(
      screen
        .all('.scale')
        .map((button) => [button.getAttribute('aria-label'), button.getAttribute('aria-disabled')]),
    ).toEqual([
      ['Set the desired capacity of workers to 9', null],
      ['Set the desired capacity of workers to 11', 'true'],
    ]);
  });

  it('shows an instance that has not joined, and a node without a group', () => {
    const pending = instance({ node: undefined, lifecycleState: 'Pending', ec2State: 'pending' });
    screen.show({
      groups: [group({ instances: [pending] })],
      otherNodes: [node({ name: 'stranger', ready: false })],
    });
    expect(screen.textOf('.no-node')).toBe('No Node');
    expect(screen.textOf('section[aria-labelledby="other-nodes"]')).toContain('NotReady');
  });

  it('has the steps of etcd for a member that leaves, which has no pods and no Node', () => {
    const member = leavingInstance({ node: undefined });
    screen.show({ groups: [group({ role: 'etcd', instances: [member] })] });
    expect(screen.all('.steps li').map(({ textContent }) => textContent)).toEqual([
      'Leave etcd',
      'EC2 terminates',
    ]);
    expect(screen.textOf('.steps [aria-current="step"]')).toBe('Leave etcd');
  });

  it('misses no Node of members of etcd, which have none', () => {
    screen.show({ groups: [group({ role: 'etcd', instances: [instance({ node: undefined })] })] });
    expect(screen.all('.steps')).toEqual([]);
    expect(screen.textOf('.group')).not.toContain('No Node');
  });

  it('freezes the age of a credential that cannot be read', () => {
    const credential = { parameterName: 'p', publishedAt: now - 3_600_000, seenAt: now - 600_000 };
    screen.show({ credentials: [credential] });
    expect(screen.textOf('.credential p')).toContain('Published 50 min ago (as of 07:50) as p');
  });

  it('names the certificate requests that were refused, with the reason and the command that explains it', () => {
    screen.show();
    expect(screen.textOf('.requests')).toContain('Denied: a client certificate for ip-10-0-0-4');
    expect(screen.textOf('.requests')).toContain('1 min 30 s ago');
    expect(screen.textOf('.requests')).not.toContain('times');
    screen.show({ requests: state().requests?.map((request) => ({ ...request, times: 12 })) ?? [] });
    expect(screen.textOf('.requests')).toContain('1 min 30 s ago, 12 times so far');
    expect(screen.textOf('.requests .reason')).toBe('Drover: a node of this name runs');
    expect(screen.textOf('.requests code')).toBe('npx --no -- drover csr explain csr-stranger');
  });

  it('shows the voters, learners and quorum of etcd, and the ages of the snapshot and the credential', () => {
    screen.show();
    expect(screen.textOf('.panel.etcd')).toContain('2 voters, 2 of them serving; quorum 2');
    expect(screen.textOf('.panel.etcd')).toContain('Newest snapshot 10 min ago');
    expect(screen.all('[data-standing="learner"]')).toHaveLength(1);
    expect(screen.textOf('.panel.credential')).toContain('Published 1 h ago');
  });

  it('shows a pass in one line: time, outcome, subject, reason, seconds', () => {
    screen.show();
    expect(screen.textOf('.events li')).toBe(
      '07:59:55againi-0fedcba9876543210waits for 4 pods · took 0.3 s · again in 20 s',
    );
  });

  it('shows the time of the next pass in whole seconds, as the queue keeps it', () => {
    screen.show({ passes: [{ ...firstPass, afterSeconds: 96.00666674804687 }] });
    expect(screen.textOf('.events li')).toMatch(/ · again in 97 s$/);
  });
});

describe('a group of more than 24 instances', () => {
  const crowded = [group({ instances: [...many(30), leavingInstance()] })];

  it('is a heatmap, of which one cell is in the order of Tab', () => {
    screen.show({ groups: crowded });
    expect(screen.all('.cell')).toHaveLength(31);
    expect(screen.all('.cell[tabindex="0"]')).toHaveLength(1);
    expect(screen.all('.cell[data-held]').map((cell) => cell.getAttribute('aria-label'))).toEqual([
      'i-0fedcba9876543210, ip-10-0-0-5, leaving, Terminating:Wait, 2 pods',
    ]);
  });

  it('shows the chosen instance with all that is known of it', () => {
    screen.show({ groups: crowded }, { selected: 'i-00000003' });
    expect(screen.all('.card[id]').map(({ id }) => id)).toEqual(['i-0fedcba9876543210', 'i-00000003']);
    expect(screen.all('.cell[aria-pressed="true"]')).toHaveLength(1);
  });

  it('shows a chosen one that leaves, although many others leave before it', () => {
    const leaving = Array.from({ length: 9 }, (_, index) =>
      leavingInstance({ instanceId: `i-1000000${index}` }),
    );
    const groups = [group({ instances: [...many(30), ...leaving] })];
    screen.show({ groups }, { selected: 'i-10000007' });
    const rows = screen.all('.card[id]');
    expect(rows.map(({ id }) => id).at(-1)).toBe('i-10000007');
    expect(rows).toHaveLength(5);
    expect(screen.all('.card[data-selected] .toggle[aria-expanded="true"]')).toHaveLength(1);
  });

  it('dims what the reader does not look for', () => {
    screen.show({ groups: crowded }, { search: { words: '', show: 'moving', zone: '' } });
    expect(screen.all('.cell:not([data-dim])')).toHaveLength(1);
    expect(screen.textOf('.search [role="status"]')).toBe('1 of 31 instances');
  });

  it('has a line for each of many that leave, and four of them until all are asked for', () => {
    const leaving = Array.from({ length: 9 }, (_, index) =>
      leavingInstance({ instanceId: `i-1000000${index}` }),
    );
    screen.show({ groups: [group({ instances: [...many(30), ...leaving] })] });
    expect(screen.all('.card[id]')).toHaveLength(4);
    expect(screen.textOf('.card .words')).toBe(
      'Pods leave · held by shop/web · forced at 08:10 at the latest, in 10 min',
    );
    expect(screen.textOf('.show-all')).toBe('Show all 9 instances');
  });
});

describe('the masthead', () => {
  const words = (properties: Parameters<typeof Masthead>[0]): string => {
    const place = document.createElement('div');
    render(h(Masthead, properties), place);
    return place.textContent ?? '';
  };

  it('says whether what is shown is live', () => {
    const shown = { ...state(), isOld: false };
    const live = { name: 'prod', shown, connection: 'live', isReading: false } as const;
    expect(words(live)).toContain('Live');
    expect(words({ ...live, connection: 'lost' })).toContain('Connection lost, trying again');
    expect(words({ ...live, connection: 'refused' })).toContain('open the address that was printed last');
    expect(words({ ...live, connection: 'resting' })).toContain('Resting while hidden');
    expect(words({ ...live, shown: { ...shown, isOld: true } })).toContain(
      'Old: nothing newer could be read',
    );
    expect(words({ ...live, shown: undefined })).toContain('Connecting');
    expect(words({ ...live, shown: undefined, isReading: true })).toContain('Reading for the first time');
  });

  it('names the stage and leads to the list of all clusters, if the page is one of several', () => {
    const place = { stage: 'live', clusterName: 'prod', context: null };
    const shown = { ...state(), isOld: false, place, allClusters: '../' };
    const text = words({ name: 'prod', shown, connection: 'live', isReading: false });
    expect(text).toMatch(/^Drover prodstage live · eu-west-1 · 123456789012All clusters/);
    expect(
      words({
        name: 'prod',
        shown: { ...shown, place: undefined, allClusters: undefined },
        connection: 'live',
        isReading: false,
      }),
    ).not.toContain('All');
  });
});
