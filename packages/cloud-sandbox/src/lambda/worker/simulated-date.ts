import type { SimulatedTime } from './messages.ts';

/** The machine's own Date in this thread, before it is replaced. */
const RealDate = Date;

/** Simulated milliseconds since the epoch. */
export const simulatedNow = ({ simulatedAt, realAt, speed }: SimulatedTime): number =>
  Math.floor(simulatedAt + (RealDate.now() - realAt) * speed);

/**
 * Makes `Date` in this thread return simulated time, so that a bundle, and the SDK in it that signs by the clock, live in it.
 * Timers keep to the machine's time: what they bound (a socket that does not answer) is of the machine.
 */
export function replaceDate(time: SimulatedTime): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly [] | readonly [number | string | Date]) {
      if (given.length === 0) super(simulatedNow(time));
      else super(...(given as readonly [number]));
    }

    static override now(): number {
      return simulatedNow(time);
    }
  } as DateConstructor;
}
