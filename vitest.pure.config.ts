import { defineConfig } from 'vitest/config';
import { pureRooms } from './scripts/gates/pure-rooms.ts';

/** The tests of the pure rooms alone: what mutation testing runs again and again. */
export default defineConfig({
  test: {
    include: pureRooms.map((room) => `test/${room}/**/*.test.ts`),
    pool: 'threads',
    testTimeout: 20_000,
  },
});
