import type { SimulatedTime } from '../lambda/worker/messages.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A simulation's time for people: virtual until it is started, then as the machine's, or so many times as fast. */
export interface RealClock extends VirtualClock {
  /** From now on time passes by itself, and only the clock may call `step` and `moveTo`. */
  start(): void;
  /** No task runs any more. */
  stop(): void;
  /** How simulated time follows from the machine's, for threads that have a clock of their own. */
  time(): SimulatedTime;
}

/** What Node's timers can wait at most; a longer wait is taken in several. */
const longestTimeoutMilliseconds = 2 ** 31 - 1;

/** `leadSeconds`: so much virtual time can pass before `start` for the simulated date to be the machine's then. */
export function createRealClock({
  speed,
  leadSeconds = 0,
}: {
  readonly speed: number;
  readonly leadSeconds?: number;
}): RealClock {
  const virtual = createVirtualClock(Date.now() - leadSeconds * 1000);
  let origin: SimulatedTime | undefined;
  let armed: { readonly dueAt: number; readonly timeout: NodeJS.Timeout } | undefined;

  const time = (): SimulatedTime => origin ?? { simulatedAt: virtual.now(), realAt: Date.now(), speed };
  const now = (): number => {
    if (!origin) return virtual.now();
    const passed = (Date.now() - origin.realAt) * speed;
    return Math.max(virtual.now(), Math.floor(origin.simulatedAt + passed));
  };
  const disarm = (): void => {
    clearTimeout(armed?.timeout);
    armed = undefined;
  };
  const arm = (): void => {
    const dueAt = virtual.dueAt();
    if (!origin || dueAt === undefined || (armed && armed.dueAt <= dueAt)) return;
    disarm();
    const milliseconds = Math.max(0, Math.ceil((dueAt - now()) / speed));
    armed = { dueAt, timeout: setTimeout(catchUp, Math.min(milliseconds, longestTimeoutMilliseconds)) };
  };
  function catchUp(): void {
    armed = undefined;
    const until = now();
    while (virtual.step(until));
    arm();
  }

  return {
    ...virtual,
    now,
    time,
    after: (delayMilliseconds, task) => {
      virtual.moveTo(now());
      const timer = virtual.after(delayMilliseconds, task);
      arm();
      return timer;
    },
    start: () => {
      origin = time();
      arm();
    },
    stop: () => {
      disarm();
      origin = undefined;
    },
  };
}
