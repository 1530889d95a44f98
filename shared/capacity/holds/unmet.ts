import { type AutoScalingGroup, isSuspended } from '../../groups/group.ts';
import { phaseOf } from '../phase.ts';
import { activeHolds } from './bounds.ts';
import type { GroupHolds } from './read-holds.ts';

/** cluster-autoscaler gives a node 15 minutes, and a join has twelve (docs/joining.md). */
const metWithinSeconds = 900;

/** A group that has had time for the nodes of its holds, and lacks some. */
export interface Unmet {
  readonly asked: number;
  readonly inService: number;
  /** No node of it can be launched. */
  readonly launchIsSuspended?: true;
}

/** Whether the holds of a group lack nodes although they have had time enough; undefined where they do not. Pure. */
export function unmetOf(
  group: AutoScalingGroup,
  { holds, record }: GroupHolds,
  now: number,
): Unmet | undefined {
  if (group.countsUnits) return undefined;
  const asked = Math.max(0, ...activeHolds(holds, now).map(({ nodes }) => nodes));
  const inService = group.instances.filter(
    ({ lifecycleState, healthy }) => healthy && phaseOf(lifecycleState) === 'in-service',
  ).length;
  const askedAt = record.kind === 'record' ? (record.record.askedAt ?? record.record.changedAt) : now;
  const hadTime = Math.abs(now - askedAt) >= metWithinSeconds * 1000;
  if (!hadTime || inService >= asked) return undefined;
  return { asked, inService, ...(isSuspended(group, 'Launch') && { launchIsSuspended: true }) };
}

/** The problem in words, with the reasons that AWS gives. */
export const unmetReason = (
  { asked, inService, launchIsSuspended }: Unmet,
  reasons: readonly string[],
): string =>
  [
    `the holds ask for ${asked} nodes, and ${inService} are in service`,
    ...(launchIsSuspended ? ['the group suspends Launch'] : []),
    ...reasons,
  ].join('; ');
