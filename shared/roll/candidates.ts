import { isInService } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { leaves } from './bounds.ts';
import type { RollMember } from './member.ts';
import type { GroupProgress } from './progress.ts';

/**
 * The old instances that may be next, best first: those whose Nodes are not Ready, then of the zone with the most serving instances, so that
 * zones stay even, then the oldest. Pure.
 */
export function candidatesOf(
  { autoScalingGroupName, old }: Pick<GroupProgress, 'autoScalingGroupName' | 'old'>,
  members: readonly RollMember[],
): readonly RollMember[] {
  const serving = members.filter(
    (member) =>
      member.autoScalingGroupName === autoScalingGroupName && isInService(member) && !leaves(member),
  );
  const sizes = Map.groupBy(serving, ({ availabilityZone }) => availabilityZone);
  const sizeOf = ({ availabilityZone }: RollMember): number => sizes.get(availabilityZone)?.length ?? 0;
  return old
    .map(({ member }) => member)
    .filter((member) => isInService(member) && !leaves(member))
    .toSorted(
      (one, other) =>
        readyRank(one) - readyRank(other) ||
        sizeOf(other) - sizeOf(one) ||
        (one.launch?.launchedAt ?? 0) - (other.launch?.launchedAt ?? 0) ||
        (one.instanceId < other.instanceId ? -1 : 1),
    );
}

const readyRank = ({ node }: RollMember): number => (node === undefined || isNodeReady(node) ? 1 : 0);
