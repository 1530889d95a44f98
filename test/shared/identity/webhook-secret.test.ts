import { describe, expect, it } from 'vitest';
import { isOwnCaller, readWebhookSecrets } from '../../../shared/identity/webhook-secret.ts';

const [current, previous] = ['c'.repeat(32), 'p'.repeat(256)];

describe('readWebhookSecrets', () => {
  it('reads the current secret, with or without the one before', () => {
    expect(readWebhookSecrets(JSON.stringify({ current }))).toEqual({ current });
    expect(readWebhookSecrets(JSON.stringify({ current, previous }))).toEqual({ current, previous });
  });

  it.each([
    ['a short one', { current: 'c'.repeat(31) }],
    ['a long one', { current: 'c'.repeat(257) }],
    ['a space', { current: `${current} ` }],
    ['none', { previous }],
    ['a short one before', { current, previous: '' }],
    ['no JSON', 'secret'],
  ])('refuses %s', (_, value) => {
    expect(readWebhookSecrets(typeof value === 'string' ? value : JSON.stringify(value))).toBeUndefined();
  });
});

describe('isOwnCaller', () => {
  it('knows both secrets', () => {
    expect(isOwnCaller(`Bearer ${current}`, { current, previous })).toBe(true);
    expect(isOwnCaller(`Bearer ${previous}`, { current, previous })).toBe(true);
    expect(isOwnCaller(`Bearer ${previous}`, { current })).toBe(false);
  });

  it.each([
    undefined,
    '',
    'Bearer ',
    current,
    `bearer ${current}`,
    `Basic ${current}`,
    `Bearer ${current}x`,
    `Bearer ${current}\n`,
    ` Bearer ${current}`,
  ])('does not know %j', (authorization) => {
    expect(isOwnCaller(authorization, { current })).toBe(false);
  });
});
