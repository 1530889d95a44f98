import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { findHold } from '../../../../shared/capacity/holds/change-holds.ts';
import { bySchedule, formatHold } from '../../../../shared/capacity/holds/hold.ts';
import { holdParameterOf } from '../../../../shared/capacity/holds/parameters.ts';
import {
  createScheduleSilence,
  dueHolds,
  makeDueHolds,
  type ScheduleSource,
} from '../../../../shared/capacity/schedules/due-holds.ts';
import { finished } from '../../../support/item-faults.ts';
import { hour, start } from '../holds/fixtures.ts';
import { createHoldWorld, paths } from '../holds/world.ts';
import { record } from './support.ts';

const at = (text: string): number => Date.parse(`2026-12-01T${text}:00Z`);
const clockAt = (text: string) => createVirtualClock(at(text));
const launch = { startedAt: at('00:00'), endedAt: at('00:10') };

function sourceOf(given: Partial<ScheduleSource> = {}) {
  const measured: string[] = [];
  const source: ScheduleSource = {
    readSchedules: async () => ({ records: [record({}, { lead: 'measured' })], failures: [] }),
    readLaunches: async (name) => {
      measured.push(name);
      return [launch];
    },
    ...given,
  };
  return { source, measured };
}

describe('the holds that schedules ask for now', () => {
  it('are created as early as launches of the group took', async () => {
    const { source } = sourceOf();
    expect((await dueHolds(source, clockAt('07:48'))).holds).toEqual([]);
    expect((await dueHolds(source, clockAt('07:49'))).holds).toMatchObject([
      { name: 'office-hours.20261201T0800Z' },
    ]);
  });

  it('need no activities of a group until an occurrence is near', async () => {
    const { source, measured } = sourceOf();
    await dueHolds(source, clockAt('06:59'));
    expect(measured).toEqual([]);
    await dueHolds(source, clockAt('07:00'));
    expect(measured).toEqual(['workers']);
  });

  it('are created ten minutes early if the lead cannot be measured, which is a problem', async () => {
    const { source } = sourceOf({ readLaunches: () => Promise.reject(new Error('Throttling')) });
    expect((await dueHolds(source, clockAt('07:49'))).holds).toEqual([]);
    expect(await dueHolds(source, clockAt('07:50'))).toMatchObject({
      holds: [{}],
      problems: ['the lead of workers cannot be measured, so it is 600 s: Throttling'],
    });
  });

  it('are none if the schedules cannot be read, which is a problem', async () => {
    const { source } = sourceOf({ readSchedules: () => Promise.reject(new Error('AccessDenied')) });
    expect(await dueHolds(source, clockAt('07:50'))).toEqual({
      holds: [],
      problems: ['schedules cannot be read: AccessDenied'],
    });
  });

  it('are created if another schedule cannot be read, which is a problem', async () => {
    const { source } = sourceOf({
      readSchedules: async () => ({
        records: [record({}, { lead: 600 })],
        failures: [{ name: 'other', error: new Error('AccessDenied') }],
      }),
    });
    expect(await dueHolds(source, clockAt('07:50'))).toMatchObject({
      holds: [{}],
      problems: ['schedule other makes no holds until it can be read: AccessDenied'],
    });
  });
});

describe('the leads of many groups', () => {
  const names = Array.from({ length: 40 }, (_, index) => `group-${index}`);
  const measuring = (hanging: number) =>
    sourceOf({
      readSchedules: async () => ({
        records: names.map((name) => record({ name }, { lead: 'measured', autoScalingGroupName: name })),
        failures: [],
      }),
      readLaunches: (name) =>
        names.indexOf(name) < hanging ? new Promise<never>(() => {}) : Promise.resolve([launch]),
    }).source;
  const unmeasured = ({ problems }: { readonly problems: readonly string[] }) =>
    problems.flatMap((problem) => /the lead of (\S+) cannot/.exec(problem)?.[1] ?? []);

  it('are measured although those of ten others are not answered', async () => {
    const clock = clockAt('07:00');
    const plan = await finished(clock, dueHolds(measuring(10), clock));
    expect(unmeasured(plan)).toEqual(names.slice(0, 10));
    expect(clock.now() - at('07:00')).toBeLessThanOrEqual(10_000);
  });

  it('are measured by the next scan before those that were not answered, if too many were not', async () => {
    const clock = clockAt('07:00');
    const silence = createScheduleSilence();
    const first = await finished(clock, dueHolds(measuring(39), clock, silence));
    expect(unmeasured(first)).toEqual(names);
    const second = await finished(clock, dueHolds(measuring(39), clock, silence));
    expect(unmeasured(second)).toEqual(names.slice(0, 39));
  });
});

const due = {
  autoScalingGroupName: 'workers',
  name: 'office.20261125T0800Z',
  nodes: 6,
  until: start + hour,
  raiseMaxSize: false,
  by: bySchedule('office'),
};

it.each([
  ['extended', { until: start + 2 * hour }],
  ['ended early', { endedAt: start }],
])(
  'a hold of a schedule that an operator has %s is not changed if an old list does not contain it',
  async (_, change) => {
    const world = createHoldWorld();
    const standing = { ...due, ...change };
    world.hold(standing);
    const made = await makeDueHolds(
      { ...world.context, clock: world.clock },
      { due: [due], texts: new Map() },
    );
    expect(made).toEqual({ texts: new Map(), made: [], problems: [] });
    expect(await findHold({ parameters: world.context.parameters, paths }, due)).toEqual({
      kind: 'hold',
      hold: standing,
    });
  },
);

describe('a hold of another maker that has the name of an occurrence', () => {
  const due = {
    autoScalingGroupName: 'workers',
    name: 'office-hours.20261201T0800Z',
    nodes: 6,
    until: start + hour,
    raiseMaxSize: false,
    by: bySchedule('office-hours'),
  };
  const madeWith = async (standing: object) => {
    const world = createHoldWorld();
    const text = formatHold({ ...due, by: 'user/ana', ...standing });
    const texts = new Map([[holdParameterOf(paths, due), text]]);
    return await makeDueHolds({ ...world.context, clock: world.clock }, { due: [due], texts });
  };

  it.each([
    ['keeps fewer nodes', { nodes: 1 }],
    ['ends earlier', { until: start + hour / 2 }],
    ['was ended', { endedAt: start }],
    ['has no maker', { nodes: 1, by: undefined }],
    ['is that of another schedule', { nodes: 1, by: bySchedule('office') }],
  ])('is a problem if it %s', async (_, standing) => {
    const { made, problems } = await madeWith(standing);
    expect({ made, problems }).toEqual({
      made: [],
      problems: [
        expect.stringContaining('hold office-hours.20261201T0800Z of schedule office-hours is not created'),
      ],
    });
  });

  it.each([
    ['keeps as many nodes for as long', {}],
    ['is that of the schedule, which an operator ended', { by: due.by, endedAt: start }],
  ])('is none if it %s', async (_, standing) => {
    expect((await madeWith(standing)).problems).toEqual([]);
  });
});
