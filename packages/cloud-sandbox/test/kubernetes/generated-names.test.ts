import { expect, it } from 'vitest';
import { createRandom } from '../../src/simulation/random.ts';
import { createCluster } from './support.ts';

const path = '/api/v1/namespaces/default/configmaps';
const body = { metadata: { generateName: 'made-' } };

/** A cluster whose names are made of one letter until so many letters were drawn, and then of another. */
function clusterThatDraws({ lettersAlike }: { readonly lettersAlike: number }) {
  let drawn = 0;
  const pick = <T>(items: readonly T[]): T => {
    drawn += 1;
    return items[drawn <= lettersAlike ? 0 : 1] as T;
  };
  return createCluster({ random: { ...createRandom(1), pick } });
}

it('a generated name that is taken is drawn again', async () => {
  const { call } = clusterThatDraws({ lettersAlike: 15 });
  expect((await call('POST', path, body)).status).toBe(201);
  expect((await call('POST', path, body)).status).toBe(201);
});

it('a name that was drawn eight times and is taken is refused', async () => {
  const { call } = clusterThatDraws({ lettersAlike: 1000 });
  expect((await call('POST', path, body)).status).toBe(201);
  expect((await call('POST', path, body)).status).toBe(409);
});
