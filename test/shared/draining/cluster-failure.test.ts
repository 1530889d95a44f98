import { describe, expect, it } from 'vitest';
import {
  failedAnswer,
  hasNoAnswer,
  isAboutAnotherObject,
  isDenied,
} from '../../../shared/draining/cluster-failure.ts';

/** An error of the adapter. */
const failed = (fields: { readonly kind?: string; readonly statusCode?: number }, message = 'no'): Error =>
  Object.assign(new Error(message), fields);

const kinds = ['unreachable', 'unavailable', 'conflict', 'not-found', 'throttled', 'unauthorized', 'invalid'];
const kindsThat = (answers: (error: unknown) => boolean): readonly string[] =>
  kinds.filter((kind) => answers(failed({ kind })));

const statuses = [0, 200, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503];
const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
const noErrors = [undefined, null, 'unreachable', { kind: 'unreachable', statusCode: 403 }];

describe('a call that failed', () => {
  it('has no answer where the server was not reached, was not ready or the time was up', () => {
    expect(kindsThat(hasNoAnswer)).toEqual(['unreachable', 'unavailable']);
    expect(hasNoAnswer(aborted)).toBe(true);
    expect(hasNoAnswer(new Error('a bug'))).toBe(false);
  });

  it('is about another object where that has gone or changed', () => {
    expect(kindsThat(isAboutAnotherObject)).toEqual(['conflict', 'not-found']);
    expect(isAboutAnotherObject(new Error('a bug'))).toBe(false);
  });

  it('is denied by its status', () => {
    expect(statuses.filter((statusCode) => isDenied(failed({ statusCode })))).toEqual([400, 403, 405, 422]);
    expect(isDenied(new Error('failed calling webhook'))).toBe(false);
  });

  it('is denied where a webhook fails, and by no other failure of the server', () => {
    const byWebhook = (statusCode: number) => isDenied(failed({ statusCode }, 'failed calling webhook "x"'));
    expect(statuses.filter(byWebhook)).toEqual([400, 403, 405, 422, 500]);
    expect(isDenied(failed({ statusCode: 500 }, 'webhooks'))).toBe(false);
  });

  it.each([
    ['has no answer', hasNoAnswer],
    ['is about another object', isAboutAnotherObject],
    ['is denied', isDenied],
  ])('%s only if it is an error', (_, answers) => {
    expect(noErrors.filter(answers)).toEqual([]);
  });
});

describe('an eviction or deletion that failed', () => {
  it.each([
    ['is refused', { statusCode: 403 }, { kind: 'refused', statusCode: 403, message: 'no' }],
    [
      'is refused, whatever its kind',
      { kind: 'unavailable', statusCode: 422 },
      { kind: 'refused', statusCode: 422, message: 'no' },
    ],
    ['has no answer', { kind: 'unreachable' }, { kind: 'no-answer', message: 'no' }],
    ['is throttled', { kind: 'throttled', statusCode: 429 }, { kind: 'throttled', message: 'no' }],
    [
      'is throttled by a server that is not ready',
      { kind: 'unavailable', statusCode: 503 },
      { kind: 'throttled', message: 'no' },
    ],
  ])('%s', (_, fields, answer) => {
    expect(failedAnswer(failed(fields))).toEqual(answer);
  });

  it.each([
    ['of its own kind', failed({ kind: 'unauthorized', statusCode: 401 })],
    [
      'that the end of the invocation cut',
      Object.assign(failed({ kind: 'unreachable' }), { name: 'AbortError' }),
    ],
    ['of a bug', new TypeError('failed calling webhook')],
    ['that is not an error', { kind: 'throttled', message: 'no' }],
  ])('says nothing of the pod with a failure %s', (_, error) => {
    expect(failedAnswer(error)).toBeUndefined();
  });
});
