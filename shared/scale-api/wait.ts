import type { ScaleContext } from './scale-context.ts';

const pauseMilliseconds = 2000;

/**
 * Looks again every two seconds, until it is over or so many seconds have passed; then the last look is the answer. A look takes up to eight
 * seconds where the cluster hangs, and the function has 29: so `seconds` is at most 20.
 */
export async function waitUntil<Look>(
  { now, pause }: Pick<ScaleContext, 'now' | 'pause'>,
  {
    seconds,
    look,
    isOver,
  }: {
    readonly seconds: number;
    readonly look: () => Promise<Look>;
    readonly isOver: (look: Look) => boolean;
  },
): Promise<Look> {
  const until = now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (isOver(seen) || now() + pauseMilliseconds > until) return seen;
    await pause(pauseMilliseconds);
  }
}
