import { expect, it } from 'vitest';
import { heardState } from '../../../ui/state/heard-state.ts';
import { now, state } from '../states.ts';

it('is current if it was read less than half a minute ago', () => {
  const read = state({ readAt: now - 29_999 });
  expect(heardState(read, 'live')).toEqual({ state: read });
});

it('is old from half a minute on, and of the time at which its reading began', () => {
  const readAt = now - 30_000;
  expect(heardState(state({ readAt }), 'live')).toEqual({
    state: state({ readAt, now: readAt }),
    oldSince: readAt,
  });
});

it.each(['lost', 'resting'] as const)('is old at once while the connection is %s', (connection) => {
  expect(heardState(state(), connection)).toEqual({ state: state(), oldSince: now });
  expect(heardState(state({ readAt: now - 3000 }), connection).oldSince).toBe(now - 3000);
});

it('is old where its reading began in the future, for the clock was set back: it says nothing of the age', () => {
  expect(heardState(state({ readAt: now }), 'live').oldSince).toBeUndefined();
  expect(heardState(state({ readAt: now + 1 }), 'live').oldSince).toBe(now + 1);
});

it('that is not a reading, as in the sandbox, is never old while its server sends events', () => {
  expect(heardState(state({ now: now + 3_600_000 }), 'live').oldSince).toBeUndefined();
});
