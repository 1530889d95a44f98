// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { capacity, group, now } from '../states.ts';
import { createScreen, type Screen } from './support.ts';

let screen: Screen;
beforeEach(() => {
  screen = createScreen();
});

const rows = (): string[] =>
  screen.all('.capacity-part .row p').map(({ textContent }) => (textContent ?? '').replaceAll(/\s+/g, ' '));

describe('the time line of floors', () => {
  it('shows the base, the floor, the Ready nodes, and how many are short', () => {
    screen.show();
    expect(screen.textOf('.capacity-part .floor-words')).toBe('Floor 4 (base 1), 1 Ready: 3 short');
  });

  it('shows a hold from when until when, by whom, and why it is short', () => {
    screen.show();
    expect(rows()[0]).toBe(
      'waitinglaunch-day4 nodes from 07:58 until 08:15 (in 15 min), by anna1 of 4 nodes are Ready; the last launch failed: no m5.large in eu-west-1a',
    );
  });

  it('shows the pods of a hold that are open, and those of them that are placed', () => {
    const [hold] = capacity().holds;
    if (!hold) throw new Error('the capacity has no holds');
    const asks = '40 pods with app=web in shop';
    const showing = (pods: NonNullable<typeof hold.pods>) =>
      screen.show({ groups: [group({ capacity: capacity({ holds: [{ ...hold, pods }] }) })] });
    showing({ asks, open: 2, placed: 1 });
    expect(rows()[0]).toContain('launch-day40 pods with app=web in shop (2 open, 1 placed) from 07:58 until');
    showing({ asks });
    expect(rows()[0]).toContain('launch-day40 pods with app=web in shop from 07:58 until');
  });

  it('shows the pods of a schedule', () => {
    const [schedule] = capacity().schedules;
    if (!schedule) throw new Error('the capacity has no schedules');
    const pods = '60 pods with app=web in shop';
    screen.show({
      groups: [group({ capacity: capacity({ holds: [], schedules: [{ ...schedule, nodes: 0, pods }] }) })],
    });
    expect(rows()[0]).toContain('60 pods with app=web in shop with room at 08:30 until 09:30');
  });

  it('shows the next occurrence of a schedule, and the minute at which its hold will be made', () => {
    screen.show();
    expect(rows()[1]).toContain(
      '6 nodes Ready at 08:30 until 09:30; its hold will be made at 08:25, in 25 min (lead 5 min, measured)',
    );
    expect(rows()[1]).toContain('skips 2026-01-06T08:30:00 (exception)');
  });

  it('has the schedule whose hold is made next first, and those that make none last', () => {
    const [next, paused] = capacity().schedules;
    if (!next || !paused) throw new Error('the capacity has no schedules');
    const later = {
      ...next,
      name: 'a-later-one',
      occurrences: next.occurrences.map((one) =>
        one.kind === 'hold' ? { ...one, madeAt: one.madeAt + 60_000 } : one,
      ),
    };
    const never = { ...next, name: 'a-past-one', occurrences: [] };
    screen.show({
      groups: [group({ capacity: capacity({ holds: [], schedules: [never, later, paused, next] }) })],
    });
    expect(screen.all('.row .name').map(({ textContent }) => textContent)).toEqual([
      'office-hours',
      'a-later-one',
      'a-past-one',
      'nightly',
    ]);
  });

  it('shows a paused schedule as paused, without a hold to come', () => {
    screen.show();
    expect(rows()[2]).toMatch(/^pausednightly2 nodes; would be next at 09:00/);
    expect(screen.all('.row[data-paused]')).toHaveLength(1);
  });

  it('says that the hold of an occurrence is due once its lead has begun', () => {
    screen.show({ now: now + 1_560_000 });
    expect(rows()[1]).toContain('its hold was due at 08:25 (lead 5 min, measured)');
  });

  it('names what keeps schedules from making holds', () => {
    screen.show({ scheduleProblems: ['schedule sale makes no holds: its name is too long'] });
    expect(screen.textOf('.capacity-part .problem')).toBe(
      'schedule sale makes no holds: its name is too long',
    );
  });

  it('offers the command that makes a hold if there is none', () => {
    const quiet = capacity({ floor: 1, holds: [], schedules: [] });
    screen.show({ groups: [group({ capacity: quiet })] });
    expect(screen.textOf('.capacity-part code')).toBe('npx --no -- drover hold create workers 3 --for 30m');
  });

  it('offers it for no group that counts units, which refuses holds', () => {
    const quiet = capacity({ floor: 1, holds: [], schedules: [] });
    const weighted = group({ autoScalingGroupName: 'mixed', capacity: quiet, countsUnits: true });
    screen.show({ groups: [weighted] });
    expect(screen.all('.capacity-part code')).toEqual([]);
    screen.show({ groups: [weighted, group({ capacity: quiet })] });
    expect(screen.textOf('.capacity-part code')).toContain('hold create workers 3');
  });
});
