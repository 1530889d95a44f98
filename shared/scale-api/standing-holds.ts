import { activeHolds } from '../capacity/holds/bounds.ts';
import type { Hold } from '../capacity/holds/hold.ts';
import { holdsOfGroup } from '../capacity/holds/parameter-names.ts';
import { holdsIn } from '../capacity/holds/read-holds.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import type { ScaleContext } from './scale-context.ts';

/** The holds of a group that stand now. */
export async function standingHolds(
  { holds, now }: ScaleContext,
  { autoScalingGroupName }: AutoScalingGroup,
): Promise<readonly Hold[]> {
  const { parameters, paths } = holds();
  const texts = await parameters.listBelow(holdsOfGroup(paths, autoScalingGroupName));
  return activeHolds(holdsIn(texts, paths), now());
}
