import { describe, expect, it } from 'vitest';
import {
  capacityRequest,
  capacityStatusQuery,
} from '../../../../shared/scale-api/schemas/capacity-request.ts';
import { takes } from './support.ts';

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
