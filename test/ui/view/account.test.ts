// @vitest-environment jsdom
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { Doings } from '../../../ui/parts/doing.ts';
import { Page } from '../../../ui/view/page.tsx';
import { capacity, group, instance, leavingInstance, node, state } from '../states.ts';
import { createScreen, noView, type Screen } from './support.ts';

let screen: Screen;
beforeEach(() => {
  screen = createScreen();
});

const nothing = (): void => undefined;

/** The page of an account, without what is not read there. */
function show(parts: Parameters<typeof state>[0] = {}): void {
  const {
    queues: _q,
    passes: _p,
    etcd: _e,
    requests: _r,
    waitingPods: _w,
    ...read
  } = state({
    source: 'account',
    budgets: [],
    news: [],
  });
  const doing = {
    canAct: false,
    act: nothing,
    confirm: nothing,
    copy: nothing,
    select: nothing,
    showEvents: nothing,
  };
  const page = h(Page, { state: { ...read, ...parts }, view: noView });
  screen.draw(h(Doings.Provider, { value: doing, children: page }));
}

describe('the page of an account', () => {
  it('has no buttons but those that copy, open, and choose what is shown', () => {
    show();
    expect(
      screen
        .all('button')
        .filter((button) => !button.matches('.copy, .toggle, .cell, .part'))
        .map(({ textContent }) => textContent),
    ).toEqual(['Its events', 'Events of workers']);
    expect(screen.textOf('.desired')).toBe('2 desired');
  });

  it('has no empty panels for what is not read, and shows where to find it', () => {
    show();
    expect(screen.all('.panel h2').map(({ textContent }) => textContent)).toEqual([
      'Replacement of nodes',
      'What happened',
      'Floors, holds and what comes next',
      'Credential of new nodes',
      'Not on this page',
    ]);
    expect(screen.textOf('.events')).toContain('The logs were not read. drover events --follow');
    expect(screen.textOf('.events')).not.toContain('npx');
  });

  it('counts no pods and no messages', () => {
    show({
      otherNodes: [],
      groups: [group({ instances: [instance({ node: { name: 'ip', ready: true, cordoned: false } })] })],
    });
    expect(screen.textOf('.figures')).toBe('1 of 2 desired instances serve');
    expect(screen.all('.pods')).toEqual([]);
    expect(screen.all('.legend-part')).toEqual([]);
  });

  it('names what could not be read, with the reason', () => {
    show({ groups: [], unknown: [{ what: 'the groups', reason: 'unknown: denied' }] });
    expect(screen.textOf('.sentence')).toBe('Not everything could be read: the groups.');
    expect(screen.textOf('.unknown li')).toBe('the groups unknown: denied');
    expect(screen.textOf('.figures')).toBe('');
    expect(screen.textOf('.groups .nothing')).toBe('No group that Drover manages is known.');
  });

  it('names what was not looked at, and nothing if everything was', () => {
    show({ groups: [], notLookedAt: ['the hooks of the groups', 'the alarms'] });
    expect(screen.textOf('.not-looked-at')).toBe('Not looked at: the hooks of the groups, the alarms');
    show({ groups: [], notLookedAt: [] });
    expect(screen.all('.not-looked-at')).toEqual([]);
  });

  it('says that Nodes are unknown in the place of "No Node", and shows no steps that follow from them', () => {
    const unknown = { node: undefined, nodeUnknown: true } as const;
    show({ groups: [group({ instances: [instance(unknown), leavingInstance(unknown)] })] });
    expect(screen.all('.no-node').map(({ textContent }) => textContent)).toEqual([
      'Whether it has a Node is unknown',
    ]);
    expect(screen.all('.steps')).toEqual([]);
    expect(screen.textOf('.figures')).toBe('1 of 2 desired instances are in service, with or without a Node');
    expect(screen.all('[data-condition="failing"]')).toEqual([]);
  });

  it('takes the step of a drain from the pods that Drover names, where pods are not read', () => {
    const { node: leaving } = leavingInstance();
    const { pods: _, ...withoutPods } = leaving ?? node();
    show({ groups: [group({ instances: [leavingInstance({ node: withoutPods })] })] });
    expect(screen.textOf('.steps [aria-current="step"]')).toBe('Pods leave');
    const done = {
      ...withoutPods,
      leaving: { cause: 'terminating', since: 0, waitingFor: [], andMore: 0 },
    } as const;
    show({ groups: [group({ instances: [leavingInstance({ node: done })] })] });
    expect(screen.textOf('.steps [aria-current="step"]')).toBe('Volumes detach');
  });

  it('leaves out the machine where it is not read', () => {
    const { instanceType: _t, market: _m, ec2State: _s, ...rest } = instance();
    show({ groups: [group({ instances: [rest] })] });
    expect(screen.textOf('.card .words')).toBe('eu-west-1a');
    expect(screen.textOf('.sentence')).not.toContain('not well');
  });

  it('shows what needs an operator first', () => {
    show({
      problems: [
        { kind: 'hook', subject: 'workers', message: 'it has no hook' },
        { kind: 'tag', subject: 'spare', message: 'it is left alone', command: 'drover doctor' },
      ],
    });
    expect(screen.textOf('.headline')).toContain('workers has no hook; and 1 more problem');
    expect(screen.all('.problems .title').map(({ textContent }) => textContent)).toEqual([
      'workers has no hook',
      'spare is left alone',
    ]);
  });

  it('shows what Drover wrote about etcd, and a problem in the sentence', () => {
    show({ etcdStatus: { state: 'attention', reason: 'etcd: 1 of 3 members is missing' } });
    expect(screen.textOf('.sentence')).toBe('etcd needs an operator: etcd: 1 of 3 members is missing.');
    expect(screen.textOf('.etcd p')).toBe('etcd: 1 of 3 members is missing');
  });

  it('shows floors without a base and without Ready nodes, and calls nothing short', () => {
    const { base: _b, ready: _r, ...rest } = capacity({ floor: 4 });
    show({ groups: [group({ capacity: rest })] });
    expect(screen.textOf('.floor-words')).toBe('Floor 4, unknown Ready');
    expect(screen.all('.ready-dot')).toEqual([]);
    expect(screen.textOf('.headline')).not.toContain('of its floor');
  });

  it('says how a group is paused, and that a credential is missing', () => {
    show({
      groups: [group({ paused: 'paused for the cluster by ana' })],
      credentials: [{ parameterName: '/drover/prod/bootstrap-kubeconfig' }],
    });
    expect(screen.textOf('.paused')).toBe('paused for the cluster by ana');
    expect(screen.textOf('.credential')).toContain('None is published as /drover/prod/bootstrap-kubeconfig');
  });
});
