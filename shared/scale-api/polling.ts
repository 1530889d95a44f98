import type { ScaleContext } from './scale-context.ts';

/** How often clients should poll: an instance needs about a minute to become a Node. */
export const pollSeconds = 10;

const pauseMilliseconds = 2000;

/** The seconds of the parameter `wait`; 0 without it. */
export const waitSecondsOf = ({ wait }: { readonly wait?: string | undefined }): number => Number(wait ?? 0);

/**
 * Observes every two seconds until the state is final or `seconds` have passed, and returns the last observation. One observation takes up
 * to eight seconds if the API server hangs, and the function has 29 seconds: so `seconds` is at most 20.
 */
export async function waitUntil<Observation>(
  { now, pause }: Pick<ScaleContext, 'now' | 'pause'>,
  {
    seconds,
    observe,
    isOver,
  }: {
    readonly seconds: number;
    readonly observe: () => Promise<Observation>;
    readonly isOver: (observation: Observation) => boolean;
  },
): Promise<Observation> {
  const until = now() + seconds * 1000;
  for (;;) {
    const observation = await observe();
    if (isOver(observation) || now() + pauseMilliseconds > until) return observation;
    await pause(pauseMilliseconds);
  }
}
