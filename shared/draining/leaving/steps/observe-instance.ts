import type { LeavingContext } from '../context.ts';
import { observe } from '../observe.ts';
import type { Observed, Started } from '../state.ts';

/** Asks Auto Scaling, and EC2 where needed, what is true of the instance. */
export async function observeInstance(context: LeavingContext, { subject }: Started): Promise<Observed> {
  return { observation: await observe(context, subject) };
}
