import type { RollContext } from './context.ts';
import type { LiveRoll, Observation } from './observe.ts';
import { blockedInstances, type PreflightInstance } from './preflight.ts';

/** What the check of the pods of a roll has found, which the scale API may not read. */
export interface PodsCheck {
  /** Which pods cannot move, and what to do; undefined if all can. */
  readonly blocked?: string;
}

/** Whether a pass has to look at the pods before the roll may begin. Pure. */
export const needsPodsCheck = ({ roll, seen }: LiveRoll): boolean =>
  roll.podsUnchecked === true && !roll.skipBlocked && seen?.podsChecked !== true;

/**
 * Looks at the pods of the old nodes, as `drover roll` does before it begins a roll.
 *
 * @throws KubernetesError if the Nodes, the pods or the budgets cannot be read: the roll does not begin then.
 */
export async function checkPods(
  { readCluster }: Pick<RollContext, 'readCluster'>,
  roll: LiveRoll['roll'],
  { groups, members }: Pick<Observation, 'groups' | 'members'>,
): Promise<PodsCheck> {
  const names = new Set(roll.groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const replaced = groups.filter(({ autoScalingGroupName }) => names.has(autoScalingGroupName));
  const found = blockedInstances(roll, { groups, members }, await readCluster(groups, replaced));
  return found.length === 0 ? {} : { blocked: blockedReason(found) };
}

/** The reason of a roll is short: its first pods show what to look for. */
const mostNamed = 5;

/** Pure. */
export function blockedReason(found: readonly PreflightInstance[]): string {
  const pods = found.flatMap(({ nodeName, instanceId, blocked }) =>
    blocked.map(({ pod, why }) => `${pod} on ${nodeName ?? instanceId} (${why})`),
  );
  const more = pods.length - mostNamed;
  const listed = `${pods.slice(0, mostNamed).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  const nodes = found.length === 1 ? 'one old node has' : `${found.length} old nodes have`;
  return `${nodes} pods that cannot move: change that and resume the roll, or begin one with skipBlocked. ${listed}`;
}
