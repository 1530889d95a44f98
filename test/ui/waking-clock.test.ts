import { expect, it } from 'vitest';
import { wakingClock } from '../../ui/waking-clock.ts';

const start = { sinceStart: 5000, timeOfDay: 1_000_000 };

/** The time that the clock has advanced after each reading of the browser. */
function passedOver(...readings: readonly Partial<typeof start>[]): readonly number[] {
  let reading = start;
  const clock = wakingClock(() => reading);
  return readings.map((next) => {
    reading = { ...reading, ...next };
    return clock();
  });
}

it('goes on with the time since the start of the page', () => {
  expect(passedOver({ sinceStart: 6000, timeOfDay: 1_001_000 }, { sinceStart: 6500 })).toEqual([1000, 1500]);
});

it('counts two hours in which the machine slept, although the time since the start leaves them out', () => {
  expect(passedOver({ sinceStart: 5010, timeOfDay: 8_200_000 })).toEqual([7_200_000]);
});

it('does not go back, nor stop, where the time of day is set back by a day', () => {
  expect(passedOver({ sinceStart: 6000, timeOfDay: -85_400_000 }, { sinceStart: 7000 })).toEqual([
    1000, 2000,
  ]);
});
