// @vitest-environment jsdom
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Action, Doings, type Question } from '../../../ui/parts/doing.ts';
import type { RollView } from '../../../ui/state/rolls.ts';
import { Page } from '../../../ui/view/page.tsx';
import { now, roll, state } from '../states.ts';
import { createScreen, noView, type Screen } from './support.ts';

const nothing = (): void => undefined;

let screen: Screen;
let asked: Question[];
let acted: Action[];
beforeEach(() => {
  screen = createScreen();
  asked = [];
  acted = [];
});

function show(rolls: readonly RollView[], { canAct = true } = {}): void {
  const doing = {
    canAct,
    act: (action: Action) => void acted.push(action),
    confirm: (question: Question) => void asked.push(question),
    copy: nothing,
    select: nothing,
    showEvents: nothing,
  };
  const page = h(Page, { state: state({ rolls, source: canAct ? 'sandbox' : 'account' }), view: noView });
  screen.draw(h(Doings.Provider, { value: doing }, page));
}

const button = (name: string): HTMLButtonElement => {
  const found = screen.all('.rolls button').find((one) => one.classList.contains(name));
  if (!(found instanceof HTMLButtonElement)) throw new Error(`there is no button ${name}`);
  return found;
};

describe('a roll on the page', () => {
  it('shows its state, what it does, and how far it is with each group', () => {
    show([roll()]);
    expect(screen.textOf('.rolls .said')).toBe(
      'runningworkerssince 07:40, 20\u00a0min'.replaceAll('\u00a0', ' '),
    );
    expect(screen.textOf('.rolls .reason')).toBe('1 of workers is being replaced or missing, 7 old to go');
    expect(screen.textOf('.rolls .roll-group')).toBe('workers 4 new, 7 old, 1 leaving, 2 left out');
    const bar = screen.main.querySelector<HTMLProgressElement>('.rolls progress');
    expect([bar?.value, bar?.max]).toEqual([4, 12]);
  });

  it('names the nodes that move, each with what it waits for', () => {
    show([roll()]);
    expect(screen.textOf('.rolls .moving li')).toBe(
      'ip-10-0-0-5 is leaving: it waits for shop/web-2 (budget web)',
    );
  });

  it('says what was asked: by whom, with which canary, alarms and window', () => {
    show([roll()]);
    expect(screen.textOf('.rolls')).toContain(
      'began 07:40 by anna; canary: 1 new node of each group carries pods for 5 min first; stops on web-errors; only Mon-Fri 09:00-16:00 Europe/Berlin',
    );
  });

  it('pauses at once, and asks before it aborts', () => {
    show([roll()]);
    button('pause').click();
    expect(acted).toEqual([{ action: 'roll', name: 'workers', deed: 'pause' }]);
    button('abort').click();
    expect(acted).toHaveLength(1);
    expect(asked).toMatchObject([
      { title: 'Abort workers?', action: { action: 'roll', name: 'workers', deed: 'abort' } },
    ]);
  });

  it('is red once it has stopped, and offers to resume it', () => {
    show([roll({ state: 'stopped', reason: 'the alarm web-errors is raised' })]);
    expect(screen.all('.rolls li[data-tone="bad"]')).toHaveLength(1);
    button('resume').click();
    expect(acted).toEqual([{ action: 'roll', name: 'workers', deed: 'resume' }]);
  });

  it('says what to do once it has stopped', () => {
    show([roll({ state: 'stopped', reason: 'the alarm web-errors is raised' })]);
    expect(screen.textOf('.rolls')).toContain('Change what stopped it and resume it, or abort it.');
  });

  it('of a real account has the command to begin again only for one that has paused by itself', () => {
    show([roll({ state: 'paused', reason: 'v2 -> v3' })], { canAct: false });
    expect(screen.textOf('.rolls')).toContain('roll resume workers --retarget');
    show([roll({ state: 'paused', reason: 'v2 -> v3', isAskedToPause: true })], { canAct: false });
    expect(screen.textOf('.rolls')).not.toContain('--retarget');
  });

  it('says that it goes on by itself if people have not paused it', () => {
    const reason = 'the instance refresh ir-1 of workers is active';
    show([roll({ state: 'paused', reason })]);
    expect(screen.textOf('.rolls')).toContain('It goes on by itself once this is over.');
    show([roll({ state: 'paused', reason: 'people have paused it', isAskedToPause: true })]);
    expect(screen.textOf('.rolls')).not.toContain('It goes on by itself');
  });

  it('has the commands instead of buttons on the page of a real account', () => {
    show([roll({ name: 'a b' })], { canAct: false });
    expect(screen.all('.rolls .buttons')).toEqual([]);
    expect(screen.all('.rolls code').map(({ textContent }) => textContent)).toEqual([
      "drover roll pause 'a b'",
      "drover roll abort 'a b'",
    ]);
  });

  it('shows the groups of one whose progress is unknown', () => {
    show([roll({ groups: [{ autoScalingGroupName: 'workers' }], moving: [] })]);
    expect(screen.all('.rolls progress')).toEqual([]);
    expect(screen.textOf('.rolls')).toContain('workers');
  });

  it('is a line once it has ended, and there is no panel without a roll', () => {
    show([
      roll({
        state: 'done',
        reason: 'every old node is replaced',
        since: now - 60_000,
        groups: [],
        moving: [],
      }),
    ]);
    expect(screen.textOf('.rolls .over')).toBe('workers is done since 07:59: every old node is replaced');
    expect(screen.all('.rolls button')).toEqual([]);
    show([]);
    expect(screen.all('.rolls')).toEqual([]);
  });

  it('names ten of many moving nodes', () => {
    const moving = Array.from({ length: 12 }, (_, index) => ({
      name: `node-${index}`,
      autoScalingGroupName: 'workers',
      state: 'leaving' as const,
      why: 'it is Terminating:Wait',
    }));
    show([roll({ moving })]);
    expect(screen.all('.rolls .moving li')).toHaveLength(11);
    expect(screen.textOf('.rolls .moving li:last-child')).toBe('and 2 more nodes');
  });
});
