import { expect, test } from 'vitest';
import { droverSays } from '../../../local/story/drover-says.ts';

const pass = {
  message: 'pass',
  work: 'node-leaving',
  subject: 'i-1',
  outcome: 'again',
  reason: 'waits for one pod',
};

test('the outcome of a pass is told with its reason, and when it comes again', () => {
  expect(droverSays(5, JSON.stringify({ ...pass, afterSeconds: 12 }))).toEqual({
    at: 5,
    speaker: 'drover',
    text: 'node-leaving i-1: waits for one pod; again in 12 s',
  });
  expect(droverSays(5, JSON.stringify(pass))?.text).toBe('node-leaving i-1: waits for one pod');
});

test.each(['not JSON', '{}', '{"message":"sweep"}', '{"message":"pass"}', 'null'])(
  'any other line is not told: %s',
  (line) => {
    expect(droverSays(5, line)).toBeUndefined();
  },
);
