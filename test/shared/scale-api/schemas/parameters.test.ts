import { describe, expect, it } from 'vitest';
import { instancesQuery, pageOf, pageQuery } from '../../../../shared/scale-api/schemas/paging.ts';
import {
  countQuery,
  dryRunQuery,
  groupParameters,
  ifMatch,
  noQuery,
  replacingQuery,
  waitQuery,
  waitSecondsOf,
} from '../../../../shared/scale-api/schemas/parameters.ts';
import { instanceParameters, terminationQuery } from '../../../../shared/scale-api/schemas/termination.ts';
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
  ])('%s may be empty, and takes no parameter that it does not know', (_, schema) => {
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

describe('the page of a query', () => {
  it('has a hundred lines where nothing else is asked for', () => {
    expect(pageOf({})).toEqual({ limit: 100 });
    expect(pageOf({ limit: '7', cursor: 'next' })).toEqual({ limit: 7, cursor: 'next' });
  });
});

describe('the wait of a request', () => {
  it('is as many seconds as it says, and none where it says nothing', () => {
    expect(waitSecondsOf({})).toBe(0);
    expect(waitSecondsOf({ wait: '20' })).toBe(20);
  });
});

describe('a path', () => {
  it.each([
    ['group', groupParameters()],
    ['instanceId', instanceParameters()],
  ])('has a text for %s', (name, schema) => {
    expect(takes(schema)({ [name]: 'a/b' })).toBe(true);
    expect(takes(schema)({})).toBe(false);
  });
});

describe('the header If-Match', () => {
  it('is absent or any text', () => {
    expect([{}, { 'If-Match': '' }, { 'If-Match': 'x' }].every(takes(ifMatch()))).toBe(true);
    expect(takes(ifMatch())({ 'If-Match': 1 })).toBe(false);
  });
});
