import { describe, expect, it } from 'vitest';
import { isSameSchedule } from '../../../../shared/capacity/schedules/same-schedule.ts';
import { record } from './support.ts';

describe('two schedules', () => {
  it.each([
    ['a pause', record({ enabled: false })],
    ['the name', record({ name: 'another' })],
    ['the person that made it', record({}, { by: 'ben' })],
    ['the layout of the input', record({ input: JSON.stringify(JSON.parse(record().input), null, 2) })],
  ])('ask for the same where they differ by %s', (_, other) => {
    expect(isSameSchedule(record({}, { by: 'ana' }), other)).toBe(true);
  });

  it.each([
    ['the expression', record({ expression: 'cron(0 9 * * ? *)' })],
    ['the time zone', record({ timeZone: 'Europe/Berlin' })],
    ['the nodes', record({}, { nodes: 6 })],
    ['the exceptions', record({}, { exceptions: ['2026-12-24'] })],
    ['an input that cannot be read', record({ input: '{}' })],
  ])('ask for something else where they differ by %s', (_, other) => {
    expect(isSameSchedule(record(), other)).toBe(false);
  });

  it('that cannot be read are compared by their text', () => {
    expect(isSameSchedule(record({ input: 'x' }), record({ input: 'x' }))).toBe(true);
    expect(isSameSchedule(record({ input: 'x' }), record({ input: 'y' }))).toBe(false);
  });
});
