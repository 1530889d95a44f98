import type { Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { whyInstanceIsGone } from '../instance-gone.ts';
import type { Leaving, NodeFound, Planned, Started } from '../state.ts';
import { release } from './complete-hook.ts';

type State = Started & Leaving & Planned & NodeFound;

/** When the instance has ended while its hook still waits, no pod can be evicted and none would be seen to end. */
export async function endIfInstanceGone(context: LeavingContext, state: State): Promise<Outcome | object> {
  const { instance, node, ec2 } = state;
  const gone = await whyInstanceIsGone(context, { instanceId: instance.instanceId, node, ec2 });
  if (gone === undefined) return {};
  const outcome = await release(context, { ...state, keepsNode: false });
  return { ...outcome, reason: `${gone}, there is nothing to drain; ${outcome.reason}` };
}
