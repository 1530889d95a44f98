import { describe, expect, it } from 'vitest';
import {
  scheduleParameters,
  schedulePause,
  scheduleRequest,
} from '../../../../shared/scale-api/schemas/schedule.ts';
import { takes } from './support.ts';

const request = {
  autoScalingGroupName: 'workers',
  nodes: 3,
  expression: 'cron(0 8 ? * MON-FRI *)',
  durationSeconds: 3600,
};
const takesRequest = (changes: object) => takes(scheduleRequest())({ ...request, ...changes });

describe('the request of a schedule', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['lead', ['measured', 0, 3600], ['asked', -1, 3601, 1.5]],
    ['autoScalingGroupName', ['a', 'x'.repeat(255)], ['', 'x'.repeat(256), undefined]],
    ['nodes', [1, 10_000], [0, 10_001, 1.5, undefined]],
    ['expression', ['x'.repeat(256)], ['x'.repeat(257), undefined]],
    ['timeZone', ['Europe/Berlin', undefined], ['x'.repeat(51)]],
    ['durationSeconds', [60, 604_800], [59, 604_801, undefined]],
    [
      'exceptions',
      [['2026-12-24'], Array(400).fill('2026-12-24')],
      [Array(401).fill('2026-12-24'), ['today']],
    ],
    ['raiseMaxSize', [true, false, undefined], ['yes']],
    ['more', [undefined], ['x']],
  ])('has a %s within its bounds', (name, good, bad) => {
    expect(
      [...good, ...bad].filter((value) =>
        takesRequest(value === undefined ? without(name) : { [name]: value }),
      ),
    ).toEqual(good);
  });
});

/** `undefined` stands for a field that is not there. */
const without = (name: string): object => (name in request ? { [name]: undefined } : {});

describe('the pause of a schedule', () => {
  it('is on or off', () => {
    const values = [{ paused: true }, { paused: false }, { paused: 'true' }, {}, { paused: true, by: 'ana' }];
    expect(values.filter(takes(schedulePause()))).toEqual([{ paused: true }, { paused: false }]);
  });
});

describe('the path of a schedule', () => {
  it('has its name', () => {
    expect([{ schedule: 'x' }, {}].filter(takes(scheduleParameters()))).toEqual([{ schedule: 'x' }]);
  });
});
