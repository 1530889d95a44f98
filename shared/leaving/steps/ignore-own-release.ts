import { done, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import type { Started } from '../state.ts';

/** Ends the pass if this environment released the instance moments ago: EC2 reports each release again. */
export async function ignoreOwnRelease(
  { memory }: LeavingContext,
  { subject: { instanceId, notices } }: Started,
): Promise<Outcome | object> {
  const isReleased =
    memory.recall(instanceId)?.released && notices.every(({ cause }) => cause === 'instance-gone');
  return isReleased ? done('it was released moments ago') : {};
}
