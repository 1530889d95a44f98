import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/simulation/random.ts';

test('the same seed gives the same run, secrets included', () => {
  const draw = () => {
    const random = createRandom(1);
    return [random.hex(16), random.secretHex(40), random.secretBytes(6), random.uuid()];
  };
  expect(draw()).toEqual(draw());
});

test('real random secrets differ between runs of one seed, and the rest of the run is the same', () => {
  const draw = () => {
    const random = createRandom(1, { secretBytes: randomBytes });
    const secrets = [random.secretHex(40), Buffer.from(random.secretBytes(16)).toString('hex')];
    return { secrets, rest: [random.hex(16), random.uuid()] };
  };
  const [one, other] = [draw(), draw()];
  expect(one.rest).toEqual(other.rest);
  expect(new Set([...one.secrets, ...other.secrets]).size).toBe(4);
});

test.each([1, 7, 40])('a secret has the requested %i hexadecimal digits', (digits) => {
  const pattern = new RegExp(`^[0-9a-f]{${digits}}$`);
  expect(createRandom(1).secretHex(digits)).toMatch(pattern);
  expect(createRandom(1, { secretBytes: randomBytes }).secretHex(digits)).toMatch(pattern);
});
