import { done, type Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import type { Started } from '../state.ts';

/** EC2 reports of every released instance that it shuts down and that it has terminated. */
export async function ignoreOwnRelease(
  { memory }: LeavingContext,
  { subject: { instanceId, notices } }: Started,
): Promise<Outcome | object> {
  const isReleased =
    memory.recall(instanceId)?.released && notices.every(({ cause }) => cause === 'instance-gone');
  return isReleased ? done('it was released moments ago') : {};
}
