import type { NodeState } from './cluster-state.ts';
import { type Filter, passes, refuseUnless } from './filter.ts';
import { matchesTerms } from './node-affinity.ts';
import { reasons } from './reasons.ts';
import type { AttachedVolume } from './types.ts';

/** VolumeBinding's PreFilter: it comes before all filters, and then no node is looked at. */
export const claimFilter: Filter = ({ volumes: { claimProblem } }) =>
  claimProblem === undefined ? undefined : () => [claimProblem];

/** VolumeRestrictions: a claim with ReadWriteOncePod belongs to one pod of the cluster. */
export const exclusiveClaimFilter: Filter = ({ volumes }, cluster) => {
  if (volumes.exclusiveClaims.length === 0) return undefined;
  const isInUse = volumes.exclusiveClaims.some((claim) => cluster.isClaimInUse(claim));
  return refuseUnless(reasons.claimInUse, () => !isInUse);
};

/** NodeVolumeLimits: as many volumes of a driver as its CSINode allows. A volume that is attached already takes no further place. */
export const attachLimitFilter: Filter = ({ volumes }) => {
  if (volumes.attached.length === 0) return undefined;
  const drivers = [...new Set(volumes.attached.map(({ driver }) => driver))];
  return refuseUnless(reasons.attachLimit, (state) =>
    drivers.every((driver) => canAttach(state, driver, volumes.attached)),
  );
};

function canAttach(state: NodeState, driver: string, attached: readonly AttachedVolume[]): boolean {
  const limit = state.node.attachLimits.get(driver);
  if (limit === undefined) return true;
  const there = state.volumes.get(driver);
  const own = attached.filter((volume) => volume.driver === driver).map(({ id }) => id);
  const added = new Set(own.filter((id) => !there?.has(id)));
  return added.size === 0 || (there?.size ?? 0) + added.size <= limit;
}

/** VolumeBinding and VolumeZone: the node must be where the volumes are, or where their class may create them. */
export const volumeAffinityFilter: Filter = ({ volumes: { volumeProblem, nodeTerms } }) => {
  if (volumeProblem !== undefined) return () => [volumeProblem];
  if (nodeTerms.length === 0) return undefined;
  return ({ node }) => {
    const refusing = nodeTerms.find(({ terms }) => !matchesTerms(terms, node));
    return refusing === undefined ? passes : [refusing.reason];
  };
};
