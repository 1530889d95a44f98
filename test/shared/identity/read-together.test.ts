import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { expect, it } from 'vitest';
import { readTogether } from '../../../shared/identity/read-together.ts';

function createWorld() {
  const clock = createManualClock();
  let behind = 0;
  let reads = 0;
  const store = new Map([['/secret', 'a']]);
  const state = { fails: false };
  const read = readTogether({
    clock: { now: () => clock.now() - behind * 1000 },
    names: ['/secret', '/mapping'],
    read: async () => {
      reads += 1;
      if (state.fails) throw new Error('Throttling');
      return new Map(store);
    },
  });
  const setBack = (seconds: number): void => void (behind = seconds);
  return { clock, store, read, state, setBack, reads: () => reads };
}

it('reads both by one call, and gives each out once', async () => {
  const { read, store, reads } = createWorld();
  store.set('/mapping', 'b');
  expect([await read('/secret'), await read('/mapping'), reads()]).toEqual(['a', 'b', 1]);
  store.set('/mapping', 'c');
  expect([await read('/mapping'), await read('/secret'), reads()]).toEqual(['c', 'a', 2]);
});

it('gives out what does not exist as missing, without another call', async () => {
  const { read, reads } = createWorld();
  await read('/secret');
  expect([await read('/mapping'), reads()]).toEqual([undefined, 1]);
});

it('gives out nothing that is more than two seconds old', async () => {
  const { read, store, clock, reads } = createWorld();
  await read('/secret');
  store.set('/mapping', 'b');
  clock.advance(2.001);
  expect([await read('/mapping'), reads()]).toEqual(['b', 2]);
});

it('gives out nothing that was read before the clock was set back', async () => {
  const { read, store, setBack, reads } = createWorld();
  await read('/secret');
  store.set('/mapping', 'b');
  setBack(3600);
  expect([await read('/mapping'), reads()]).toEqual(['b', 2]);
});

it('keeps nothing of a read that failed', async () => {
  const { read, state, reads } = createWorld();
  state.fails = true;
  await expect(read('/secret')).rejects.toThrow('Throttling');
  await expect(read('/mapping')).rejects.toThrow('Throttling');
  state.fails = false;
  expect([await read('/secret'), await read('/mapping'), reads()]).toEqual(['a', undefined, 3]);
});
