import type { LeavingContext } from '../context.ts';
import { markNode } from '../mark-node.ts';
import type { Leaving, Marked, NodeFound, Planned } from '../state.ts';

/** Cordon, exclusion from load balancers and our mark, in one patch, before the first pod is evicted. */
export async function markAndCordon(
  context: LeavingContext,
  { instance: { instanceId }, plan, node, mark }: Leaving & Planned & NodeFound,
): Promise<Marked> {
  return mark ? { node, mark } : await markNode(context, { instanceId, plan, node });
}
