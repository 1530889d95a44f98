import { describe, expect, test } from 'vitest';
import { merge } from '../../../scripts/release/merge.ts';

const both = (conditions: readonly string[]): string => conditions.join('And');
const noValue = { Ref: 'AWS::NoValue' };
const merged = (on: unknown, offs: Readonly<Record<string, unknown>>): unknown =>
  merge(
    on,
    Object.entries(offs).map(([condition, value]) => ({ condition, value })),
    both,
  );

describe('a part of the template', () => {
  test('that no switch changes stays', () => {
    expect(merged({ a: [1] }, { A: { a: [1] } })).toEqual({ a: [1] });
  });

  test('has one condition where one switch changes it', () => {
    expect(merged({ a: 1, b: 2 }, { A: { a: 0, b: 2 } })).toEqual({ a: { 'Fn::If': ['A', 1, 0] }, b: 2 });
  });

  test('that is missing under either of two switches needs both', () => {
    expect(merged({ a: 1 }, { A: {}, B: {} })).toEqual({ a: { 'Fn::If': ['AAndB', 1, noValue] } });
  });

  test('that two switches change to different values has a condition in the other', () => {
    expect(merged(3, { A: 1, B: 2 })).toEqual({ 'Fn::If': ['A', { 'Fn::If': ['B', 3, 2] }, 1] });
  });

  test('is chosen whole where an intrinsic function differs', () => {
    const [on, off] = [{ 'Fn::Sub': 'a' }, { 'Fn::Sub': 'b' }];
    expect(merged(on, { A: off })).toEqual({ 'Fn::If': ['A', on, off] });
  });
});

describe('a list', () => {
  const [a, b] = [{ Sid: 'a', n: 1 }, { Sid: 'b' }];

  test('loses the items that a switch removes', () => {
    expect(merged([a, b], { A: [b], B: [b], C: [a] })).toEqual([
      { 'Fn::If': ['AAndB', a, noValue] },
      { 'Fn::If': ['C', b, noValue] },
    ]);
  });

  test('has a condition inside an item that a switch changes', () => {
    expect(merged([a, b], { A: [{ Sid: 'a', n: 2 }, b] })).toEqual([
      { Sid: 'a', n: { 'Fn::If': ['A', 1, 2] } },
      b,
    ]);
  });

  test('is chosen whole where a switch adds or moves items', () => {
    expect(merged(['a', 'b'], { A: ['b', 'a'] })).toEqual({ 'Fn::If': ['A', ['a', 'b'], ['b', 'a']] });
    expect(merged(['a'], { A: ['a', 'c'] })).toEqual({ 'Fn::If': ['A', ['a'], ['a', 'c']] });
  });
});
