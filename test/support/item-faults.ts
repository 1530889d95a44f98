import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';

/** What a call for one item does. */
export type Behaviour = 'answers' | 'fails' | 'hangs';

export const behaviours = (maxLength: number) =>
  fc.array(fc.constantFrom<Behaviour>('answers', 'fails', 'hangs'), { minLength: 1, maxLength });

/** The answer of a call that behaves like this. */
export async function behave<Value>(
  behaviour: Behaviour | undefined,
  effect: () => Value | Promise<Value>,
): Promise<Value> {
  if (behaviour === 'hangs') return await new Promise<never>(() => {});
  if (behaviour === 'fails') throw new Error('Throttling');
  return await effect();
}

/** The result of work whose calls may hang: moves the clock whenever nothing else can happen. */
export async function finished<Value>(
  clock: Pick<VirtualClock, 'step'>,
  work: Promise<Value>,
): Promise<Value> {
  const state = { isOver: false };
  const end = (): void => {
    state.isOver = true;
  };
  work.then(end, end);
  while (!state.isOver) {
    // Two turns: calls that answer may need one each.
    await turn();
    await turn();
    if (!state.isOver) clock.step(Infinity);
  }
  return await work;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
