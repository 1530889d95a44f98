import { describe, expect, it } from 'vitest';
import {
  capacityRequest,
  capacityStatusQuery,
  countQuery,
  dryRunQuery,
  holdExtension,
  holdRequest,
  ifMatch,
  instancesQuery,
  noQuery,
  pageQuery,
  replacingQuery,
  schedulePause,
  scheduleRequest,
  terminationQuery,
  waitQuery,
} from '../../../../shared/scale-api/schemas/requests.ts';
import { takes } from './support.ts';

describe('a query', () => {
  it.each([
    ['without parameters', noQuery()],
    ['of a dry run', dryRunQuery()],
    ['of a request that makes a schedule', replacingQuery()],
    ['of a schedule', countQuery()],
    ['of a request that may wait', waitQuery()],
    ['of a page', pageQuery()],
    ['of the instances', instancesQuery()],
    ['of a termination', terminationQuery()],
  ])('%s may be empty, and refuses unknown parameters', (_, schema) => {
    expect(takes(schema)({})).toBe(true);
    expect(takes(schema)({ dryrun: 'true' })).toBe(false);
  });

  it.each([
    ['dryRun', dryRunQuery()],
    ['dryRun', replacingQuery()],
    ['replace', replacingQuery()],
    ['dryRun', terminationQuery()],
    ['lowerDesiredCapacity', terminationQuery()],
    ['undrained', terminationQuery()],
  ])('has true or false for %s', (name, schema) => {
    const taken = ['true', 'false', 'TRUE', 'yes', '1', '', 'undefined', true].filter((value) =>
      takes(schema)({ [name]: value }),
    );
    expect(taken).toEqual(['true', 'false']);
  });

  it.each([
    ['limit', pageQuery(), ['1', '9', '10', '99', '100'], ['0', '101', '110', '01', '1000', '-1', '1.5', '']],
    ['limit', instancesQuery(), ['1', '100'], ['0', '101']],
    ['count', countQuery(), ['1', '10', '999', '1000'], ['0', '1001', '1100', '10000', '01', 'x1', '']],
    ['wait', waitQuery(), ['0', '9', '10', '19', '20'], ['21', '30', '200', '01', '-1', '1s', '']],
  ])('has a whole number within its bounds for %s', (name, schema, good, bad) => {
    const taken = [...good, ...bad].filter((value) => takes(schema)({ [name]: value }));
    expect(taken).toEqual(good);
  });

  it.each([
    ['a page', pageQuery()],
    ['the instances', instancesQuery()],
  ])('has a cursor of 1 to 2048 characters for %s', (_, schema) => {
    const lengths = [0, 1, 2048, 2049];
    expect(lengths.filter((length) => takes(schema)({ cursor: 'x'.repeat(length) }))).toEqual([1, 2048]);
  });

  it('takes any name of a group', () => {
    expect(takes(instancesQuery())({ group: 'team/blue 1' })).toBe(true);
    expect(takes(instancesQuery())({ group: 1 })).toBe(false);
  });
});

describe('the header If-Match', () => {
  it('is absent or any text', () => {
    expect([{}, { 'If-Match': '' }, { 'If-Match': 'x' }].every(takes(ifMatch()))).toBe(true);
    expect(takes(ifMatch())({ 'If-Match': 1 })).toBe(false);
  });
});

describe('the request of a capacity', () => {
  it('has a whole number of instances, up to a hundred thousand', () => {
    const taken = [-1, 0, 1, 100_000, 100_001, 1.5, '3', null].filter((desiredCapacity) =>
      takes(capacityRequest())({ desiredCapacity }),
    );
    expect(taken).toEqual([0, 1, 100_000]);
  });

  it('may raise MaxSize, and has no other field', () => {
    const takesBeside = (fields: object) => takes(capacityRequest())({ desiredCapacity: 3, ...fields });
    expect([{ raiseMaxSize: true }, { raiseMaxSize: false }].every(takesBeside)).toBe(true);
    expect([{ raiseMaxSize: 'true' }, { raiseMaxsize: true }, { from: '3' }].some(takesBeside)).toBe(false);
    expect(takes(capacityRequest())({})).toBe(false);
  });
});

describe('the query of a change', () => {
  it('has whole numbers as texts, each in its only spelling', () => {
    for (const name of ['from', 'desired']) {
      const good = ['0', '1', '10', '19', '999999'];
      const bad = ['', '01', '00', '-1', '+1', '1.5', '1e3', ' 1', '1 ', 'x1', '1x', '1000000'];
      const taken = [...good, ...bad, 3].filter((value) => takes(capacityStatusQuery())({ [name]: value }));
      expect(taken).toEqual(good);
    }
  });

  it('may be empty, and takes a wait, and no parameter that it does not know', () => {
    const taken = [{}, { wait: '20' }, { from: '2', desired: '3', wait: '1' }, { to: '3' }, { wait: '21' }];
    expect(taken.map(takes(capacityStatusQuery()))).toEqual([true, true, true, false, false]);
  });
});

const until = '2026-11-24T12:00:00+01:00';

describe('the end of a hold', () => {
  it.each([
    ['a request', holdRequest(), { nodes: 3 }],
    ['an extension', holdExtension(), {}],
  ])('is given in one way, in %s', (_, schema, rest) => {
    const takesEnd = (end: object) => takes(schema)({ ...rest, ...end });
    expect([{ until }, { durationSeconds: 1 }, { durationSeconds: 31_622_400 }].every(takesEnd)).toBe(true);
    expect(
      [
        {},
        { until, durationSeconds: 60 },
        { durationSeconds: 0 },
        { durationSeconds: 31_622_401 },
        { durationSeconds: 1.5 },
        { until: '2026-11-24T12:00:00' },
        { until: `2026-11-24T12:00:00.${'0'.repeat(40)}Z` },
        { until: 'tomorrow' },
        { until, to: until },
      ].filter(takesEnd),
    ).toEqual([]);
  });

  it('is named in the reason if there are two', () => {
    const { error } = holdExtension().safeParse({ until, durationSeconds: 60 });
    expect(error?.issues).toMatchObject([{ message: expect.stringContaining('either until or') }]);
  });
});

describe('the request of a hold', () => {
  const takesHold = (changes: object) => takes(holdRequest())({ nodes: 3, until, ...changes });

  it('has 1 to 10,000 nodes', () => {
    expect([0, 1, 10_000, 10_001, 2.5, '3', null].filter((nodes) => takesHold({ nodes }))).toEqual([
      1, 10_000,
    ]);
  });

  it('may raise MaxSize', () => {
    expect([true, false, 'true', 1].filter((raiseMaxSize) => takesHold({ raiseMaxSize }))).toEqual([
      true,
      false,
    ]);
  });

  it('is refused with a misspelt field', () => {
    expect(takesHold({ raiseMaxsize: true })).toBe(false);
  });
});

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
