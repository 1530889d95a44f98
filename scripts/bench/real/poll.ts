import { setTimeout as sleep } from 'node:timers/promises';

export type Answer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'waiting'; readonly found: string };

const intervalMilliseconds = 500;

/**
 * Asks until the answer is `done`. Hundreds of nodes with thousands of pods take minutes on two cores.
 * @throws Error with what was found last, if that takes too long
 */
export async function poll<Value>(ask: () => Promise<Answer<Value>>, withinSeconds = 900): Promise<Value> {
  const end = performance.now() + withinSeconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer.kind === 'done') return answer.value;
    if (performance.now() >= end) throw new Error(`after ${withinSeconds} s ${answer.found}`);
    await sleep(intervalMilliseconds);
  }
}
