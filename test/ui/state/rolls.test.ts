import { describe, expect, it } from 'vitest';
import { deedsOf, toneOf } from '../../../ui/state/rolls.ts';

describe('what can be asked of a roll', () => {
  it('is a pause or its end while it runs', () => {
    for (const state of ['starting', 'running', 'resuming'] as const)
      expect(deedsOf({ state })).toEqual(['pause', 'abort']);
  });

  it('is to resume it after people have paused it, or it has stopped', () => {
    expect(deedsOf({ state: 'paused', isAskedToPause: true })).toEqual(['resume', 'abort']);
    expect(deedsOf({ state: 'stopped' })).toEqual(['resume', 'abort']);
  });

  it('is only its end while it is paused by itself, because a resume would be refused', () => {
    expect(deedsOf({ state: 'paused' })).toEqual(['abort']);
  });

  it('is nothing once it ends, or while its parameter cannot be read', () => {
    for (const state of ['aborting', 'aborted', 'done', 'unreadable'] as const)
      expect(deedsOf({ state })).toEqual([]);
  });
});

it('looks bad only if it needs an operator', () => {
  expect(toneOf({ state: 'stopped' })).toBe('bad');
  expect(toneOf({ state: 'paused' })).toBe('held');
  expect(toneOf({ state: 'running' })).toBe('moving');
});
