import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withoutSecret } from '../../../shared/credentials/redact.ts';

const secret = '0123456789abcdef';
const caught = (thrown: unknown) =>
  withoutSecret(secret, () => Promise.reject(thrown)).catch((error: unknown) => error);

describe('an error from code that handles a secret', () => {
  it('is unchanged if it does not contain the secret', async () => {
    const error = new Error('denied', { cause: new Error('why') });
    expect(await caught(error)).toBe(error);
  });

  it.each([
    ['in its message', new TypeError(`value ${secret} is bad`)],
    ['in base64', new TypeError(`data ${Buffer.from(secret).toString('base64')}`)],
    ['in its cause', new TypeError('failed', { cause: new Error(`sent ${secret}`) })],
    ['in a property', Object.assign(new TypeError('failed'), { request: { body: { deep: [secret] } } })],
    [
      'in a hidden property',
      Object.defineProperty(new TypeError('failed'), '$response', { value: secret, enumerable: false }),
    ],
  ])('keeps its name and loses the secret: %s', async (_, thrown) => {
    const error = await caught(thrown);
    expect(error).toMatchObject({ name: 'TypeError' });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/0123456789abcdef|MDEyMzQ1/);
  });

  it('is replaced if it is not an Error', async () => {
    expect(inspect(await caught({ token: secret }))).not.toContain(secret);
  });
});
