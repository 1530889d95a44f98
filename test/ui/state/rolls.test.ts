import { describe, expect, it } from 'vitest';
import { deedsOf, mayRetarget, nextOf, toneOf } from '../../../ui/state/rolls.ts';

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

describe('what to do next about a roll', () => {
  it('differs by who has paused it, and by whether it has stopped', () => {
    const paused = nextOf({ state: 'paused' });
    expect(paused).toMatch(/by itself.* begin again/);
    expect(nextOf({ state: 'paused', isAskedToPause: true })).toContain('until you resume it');
    expect(nextOf({ state: 'stopped' })).toContain('resume it, or abort it');
  });

  it('is nothing while it goes on', () => {
    for (const state of [
      'starting',
      'running',
      'pausing',
      'resuming',
      'aborting',
      'done',
      'aborted',
    ] as const)
      expect(nextOf({ state })).toBeUndefined();
  });

  it('may be to begin again only if it has paused by itself', () => {
    expect(mayRetarget({ state: 'paused' })).toBe(true);
    expect(mayRetarget({ state: 'paused', isAskedToPause: true })).toBe(false);
    expect(mayRetarget({ state: 'stopped' })).toBe(false);
  });
});
