import { type Attack, attacksOn, mostBounded } from './attacks.ts';

/** How often a text repeats its part: first by few more at a time, since an exponential pattern takes a thousand times as long for ten more. */
const repetitions = [...range(8, 40, 4), 60, 90, 135, 200, 400, 800, 1600, 3200];
/** Less may be noise. A quadratic pattern takes longer for the longest text. */
const shortestMilliseconds = 3;
/** A linear pattern takes four times as long for a text four times as long, and a quadratic one sixteen times. */
const longer = 4;
const mostTimes = 8;
/** The shortest of so many measurements counts, because caches and the compiler only make them longer. */
const measurements = 5;

/** A cubic pattern takes 64 times as long, and an exponential one never ends. They are not tried with longer texts. */
const worst = 40;
/** Far more than a linear pattern takes for a thousand repetitions. */
const hopelessMilliseconds = 150;

/**
 * A text for which the time of a pattern grows faster than its length; undefined if none is found, which proves nothing. The engine of Node.js
 * itself is measured, because what it takes is what a sender can cost us.
 */
export const whySuperLinear = (source: string, flags: string): Attack | undefined =>
  // `split` searches as often as `g` does, without the flag.
  attacksOn(source, flags).find((attack) => isSlow(new RegExp(source, flags.replace('g', '') + 'g'), attack));

function isSlow(pattern: RegExp, attack: Attack): boolean {
  for (const times of repetitions) {
    const text = textOf(attack, times);
    if (timeOf(pattern, text) < shortestMilliseconds) continue;
    const long = fastest(pattern, text);
    if (long < shortestMilliseconds) continue;
    const growth = long / fastest(pattern, textOf(attack, times / longer));
    if (growth > worst) return true;
    // A limit such as {0,256} is only seen in texts that are much longer than it.
    if (growth > mostTimes && grows(pattern, attack, Math.max(times, mostBounded))) return true;
  }
  return false;
}

function grows(pattern: RegExp, attack: Attack, most: number): boolean {
  for (let times = mostBounded / 8; times < most; times *= 2)
    if (fastest(pattern, textOf(attack, times)) > hopelessMilliseconds) return true;
  return fastest(pattern, textOf(attack, most * longer)) > mostTimes * fastest(pattern, textOf(attack, most));
}

const textOf = ({ prefix, pump, end }: Attack, times: number): string => prefix + pump.repeat(times) + end;

const fastest = (pattern: RegExp, text: string): number =>
  Math.min(...Array.from({ length: measurements }, () => timeOf(pattern, text)));

function timeOf(pattern: RegExp, text: string): number {
  const start = cpuMilliseconds();
  // A replacement searches behind each match, as `g` and `matchAll` do.
  text.replace(pattern, '');
  return cpuMilliseconds() - start;
}

/** Of this thread: on a busy machine a thread waits for its turn for longer than the slowest pattern takes. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: (to - from) / step }, (_, index) => from + index * step);
}
