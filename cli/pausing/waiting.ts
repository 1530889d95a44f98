import { messageOf } from '../../shared/base/message-of.ts';
import {
  findLeavingInstances,
  type LeavingInstance,
  type MarkedNode,
} from '../../shared/capacity/leaving-instances.ts';
import { withWarmPools } from '../../shared/groups/auto-scaling.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { isTerminating } from '../../shared/groups/lifecycle-state.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { hooksOf } from '../auto-scaling/groups.ts';
import { type Hold, holdOf } from '../leaving/hold.ts';
import { markedNodes } from '../leaving/marked-nodes.ts';

export interface WaitingInstance {
  readonly instance: LeavingInstance;
  readonly hold: Hold;
}

export interface WaitingInput {
  readonly access: Pick<AutoScalingAccess, 'describeHooks' | 'describeInstance' | 'leavingHookName'>;
  readonly groups: readonly AutoScalingGroup[];
  readonly cluster: Pick<DrainCluster, 'listNodeMetadata'>;
  /** Called with what could not be read, and why. */
  readonly warn: (message: string) => void;
}

/**
 * The instances of these groups that wait, each with how long it can be held. The pause is in effect by now: what cannot be
 * read is a warning, not a failure.
 */
export async function waitingInstances(input: WaitingInput): Promise<readonly WaitingInstance[]> {
  try {
    return await findWaiting(input);
  } catch (error) {
    input.warn(`cannot determine how long instances can be held: ${messageOf(error)}`);
    return [];
  }
}

async function findWaiting(input: WaitingInput): Promise<readonly WaitingInstance[]> {
  const nodes = await marksIfPossible(input);
  const leavingIds = nodes.map(({ mark }) => mark.instanceId);
  const groups = await withWarmPools(input.access, input.groups, leavingIds);
  const hooks = await hooksOf(input.access, groups);
  const leaving = findLeavingInstances({
    groups,
    hooks,
    nodes,
    leavingHookName: input.access.leavingHookName,
  });
  return leaving.flatMap((instance) => {
    const hold = instance.member && holdOf(instance);
    return hold ? [{ instance, hold }] : [];
  });
}

async function marksIfPossible({ cluster, groups, warn }: WaitingInput): Promise<readonly MarkedNode[]> {
  const isAnyoneLeaving = groups.some(({ instances }) => instances.some(isTerminating));
  try {
    return await markedNodes(cluster);
  } catch (error) {
    if (isAnyoneLeaving) warn(`cannot read from the cluster since when its nodes leave: ${messageOf(error)}`);
    return [];
  }
}
