import { expect, test } from 'vitest';
import { createDroverSays } from '../../../local/story/drover-says.ts';

const droverSays = (at: number, line: string) => createDroverSays()(at, line);

const pass = {
  message: 'pass',
  work: 'node-leaving',
  subject: 'i-1',
  outcome: 'again',
  reason: 'waits for one pod',
};

test('the outcome of a pass is reported with its reason and the time of the next pass', () => {
  expect(droverSays(5, JSON.stringify({ ...pass, afterSeconds: 12 }))).toEqual({
    at: 5,
    speaker: 'drover',
    text: 'node-leaving i-1: waits for one pod; again in 12 s',
  });
  expect(droverSays(5, JSON.stringify(pass))?.text).toBe('node-leaving i-1: waits for one pod');
});

test.each([
  [96.00666674804687, 97],
  [0.25, 1],
  [20, 20],
])(
  'the time of the next pass, after %d s, is shown in whole seconds as the queue keeps it',
  (afterSeconds, shown) => {
    expect(droverSays(5, JSON.stringify({ ...pass, afterSeconds }))?.text).toBe(
      `node-leaving i-1: waits for one pod; again in ${shown} s`,
    );
  },
);

test('a new snapshot is reported with its size and its key; a run that takes none is not', () => {
  const snapshot = { message: 'snapshot', ageSeconds: 0, removed: 0 };
  expect(droverSays(5, JSON.stringify({ ...snapshot, key: 'drover/one.db', bytes: 1056 }))).toEqual({
    at: 5,
    speaker: 'drover',
    text: 'etcd-snapshot: stored 1056 bytes as drover/one.db',
  });
  expect(droverSays(5, JSON.stringify(snapshot))).toBeUndefined();
});

const message = 'several keys ask for one name: no certificate is approved';

test('a conflict that each run logs is reported once for as long as its reason is the same', () => {
  const says = createDroverSays();
  const textOf = (request: string, reason: string) =>
    says(5, JSON.stringify({ message, request, reason }))?.text;
  expect(textOf('a', 'one key')).toBe('certificate-requests a: not approved, one key');
  expect(textOf('b', 'one key')).toBe('certificate-requests b: not approved, one key');
  expect(textOf('a', 'one key')).toBeUndefined();
  expect(textOf('a', 'two keys')).toBe('certificate-requests a: not approved, two keys');
  expect(textOf('a', 'one key')).toBe('certificate-requests a: not approved, one key');
});

test('a request in conflict is reported with the reason', () => {
  const line = { message, request: 'stranger', reason: 'the Node of this name is Ready' };
  expect(droverSays(5, JSON.stringify(line))?.text).toBe(
    'certificate-requests stranger: not approved, the Node of this name is Ready',
  );
});

test.each(['not JSON', '{}', '{"message":"sweep"}', '{"message":"pass"}', 'null'])(
  'ignores any other line: %s',
  (line) => {
    expect(droverSays(5, line)).toBeUndefined();
  },
);
