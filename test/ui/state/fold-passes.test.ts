import { describe, expect, it } from 'vitest';
import { foldPasses } from '../../../ui/state/fold-passes.ts';
import type { PassView } from '../../../ui/state/types.ts';

const pass = (number: number, parts: Partial<PassView> = {}): PassView => ({
  number,
  at: number * 1000,
  work: 'node-leaving',
  subject: 'i-1',
  outcome: 'again',
  reason: 'waits for 2 pods',
  seconds: 0.1,
  ...parts,
});
const folded = (...passes: PassView[]) =>
  foldPasses(passes).map(({ number, times, firstAt }) => [number, times, firstAt]);

describe('passes that repeat', () => {
  it('are one, with their number and the time of the first', () => {
    expect(folded(pass(3), pass(2), pass(1))).toEqual([[3, 3, 1000]]);
  });

  it('are one although passes over another subject came in between', () => {
    expect(folded(pass(3), pass(2, { subject: 'i-2' }), pass(1))).toEqual([
      [3, 2, 1000],
      [2, 1, 2000],
    ]);
  });

  it.each<[string, Partial<PassView>]>([
    ['another reason', { reason: 'waits for 1 pod' }],
    ['another outcome', { outcome: 'failed' }],
  ])('are several if one between them had %s', (_, parts) => {
    expect(folded(pass(3), pass(2, parts), pass(1)).map(([, times]) => times)).toEqual([1, 1, 1]);
  });
});
