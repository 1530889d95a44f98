import { defineConfig } from 'vitest/config';
import { patience } from '../patience.ts';
import { pureRooms } from '../pure-rooms.ts';

/**
 * What mutation testing runs again and again: the tests of the pure rooms, without those that build a whole simulated world
 * for what they ask, and without third-party programs.
 */
export default defineConfig({
  test: {
    include: ['test/events/**/*.test.ts', ...pureRooms.map((room) => `test/${room}/**/*.test.ts`)],
    exclude: [
      'test/**/*.real.test.ts',
      'test/shared/credentials/rotat{e,ion-faults}.test.ts',
      'test/shared/passes/{time-is-up,queue/{visibility,nothing-is-lost,queue-handler,finish-group}}.test.ts',
    ],
    pool: 'threads',
    testTimeout: patience.testTimeout,
  },
});
