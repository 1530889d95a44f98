import { describe, expect, test } from 'vitest';
import { readBatchResponse } from '../../src/lambda/batch-response.ts';

const batch = new Set(['one', 'two']);

describe('every message counts as done', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', { batchItemFailures: [] }],
    ['a null list', { batchItemFailures: null }],
  ])('for %s', (_, response) => {
    expect(readBatchResponse(response, batch)).toEqual({ kind: 'all-succeeded' });
  });
});

describe('every message counts as failed', () => {
  test.each([
    ['a text', 'done'],
    ['a list', []],
    ['failures that are not a list', { batchItemFailures: 'one' }],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['another key', { batchItemFailures: [{ messageId: 'one' }] }],
    ['an unknown identifier', { batchItemFailures: [{ itemIdentifier: 'three' }] }],
    ['a failure that is not an object', { batchItemFailures: ['one'] }],
  ])('for %s', (_, response) => {
    expect(readBatchResponse(response, batch).kind).toBe('all-failed');
  });
});

test('a batch response fails exactly the messages that it names', () => {
  const response = { batchItemFailures: [{ itemIdentifier: 'two' }] };
  expect(readBatchResponse(response, batch)).toEqual({ kind: 'some-failed', messageIds: new Set(['two']) });
});
