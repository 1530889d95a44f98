import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotateAll, rotateTogether } from '../../../shared/credentials/rotate.ts';

const roles = ['worker', 'control-plane', 'etcd', 'edge'];

describe.each([
  ['one after the other', rotateAll],
  ['at the same time', rotateTogether],
])('the rotation of all credentials %s', (_, rotateEach) => {
  it('rotates every other one, whichever fail, and names each failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(roles), async (failing) => {
        const rotated: string[] = [];
        const rotating = rotateEach(roles, async (role) => {
          if (failing.includes(role)) throw new Error(`${role} failed.`);
          rotated.push(role);
          return role;
        });
        const others = roles.filter((role) => !failing.includes(role));
        if (failing.length === 0) expect(await rotating).toEqual(roles);
        else await expect(rotating).rejects.toThrow(failing.map((role) => `${role} failed.`).join(' '));
        expect(rotated).toEqual(others);
      }),
      { numRuns: 20 },
    );
  });
});

it('a rotation whose calls hang does not delay the others', async () => {
  const rotated: string[] = [];
  const { promise: answer, resolve } = Promise.withResolvers<undefined>();
  const rotating = rotateTogether(roles, async (role) => {
    if (role === 'worker') await answer;
    rotated.push(role);
  });
  await new Promise((done) => setImmediate(done));
  expect(rotated).toEqual(roles.slice(1));
  resolve(undefined);
  await rotating;
});
