import type { NodeState } from './cluster-state.ts';
import { type Filter, passes, possibleValuesOf, refuseUnless, topologyValueOf } from './filter.ts';
import { matchesTerms } from './node-affinity.ts';
import { reasons } from './reasons.ts';
import type { AttachedVolume } from './types.ts';
import { isInZones } from './volume-needs.ts';

/** VolumeBinding's PreFilter: it comes before all filters, and then no node is looked at. */
export const claimFilter: Filter = ({ volumes: { claimProblem } }) =>
  claimProblem === undefined ? undefined : () => [claimProblem];

/** VolumeRestrictions: a claim with ReadWriteOncePod belongs to one pod of the cluster. */
export const exclusiveClaimFilter: Filter = ({ volumes }, cluster) => {
  if (volumes.exclusiveClaims.length === 0) return undefined;
  return refuseUnless(
    reasons.claimInUse,
    () => !volumes.exclusiveClaims.some((claim) => cluster.isClaimInUse(claim)),
  );
};

/** NodeVolumeLimits: as many volumes of a driver as its CSINode allows. A volume that is attached already takes no further place. */
export const attachLimitFilter: Filter = ({ volumes }) => {
  if (volumes.attached.length === 0) return undefined;
  const drivers = [...new Set(volumes.attached.map(({ driver }) => driver))];
  return refuseUnless(reasons.attachLimit, (state) =>
    drivers.every((driver) => canAttach(state, driver, volumes.attached)),
  );
};

/** A volume that is still attached counts beside the pod's own, although the pod may be the one that comes back to it. */
function canAttach(state: NodeState, driver: string, attached: readonly AttachedVolume[]): boolean {
  const limit = state.node.attachLimits.get(driver);
  if (limit === undefined) return true;
  const there = state.volumes.get(driver);
  const own = attached.filter((volume) => volume.driver === driver).map(({ id }) => id);
  const added = new Set(own.filter((id) => !there?.has(id)));
  if (added.size === 0) return true;
  const leftOver = state.attached.filter((volume) => volume.driver === driver && !there?.has(volume.id));
  const count = (there?.size ?? 0) + new Set(leftOver.map(({ id }) => id)).size;
  return count + added.size <= limit;
}

/** VolumeBinding: the node must be where the volumes are, or where their class may create them. It names each reason once. */
export const volumeAffinityFilter: Filter = ({ volumes: { nodeTerms } }) => {
  if (nodeTerms.length === 0) return undefined;
  return ({ node }) => {
    const refusing = nodeTerms.filter(({ terms }) => !matchesTerms(terms, node));
    return refusing.length === 0 ? passes : [...new Set(refusing.map(({ reason }) => reason))];
  };
};

const zoneKey = 'topology.kubernetes.io/zone';

/**
 * VolumeBinding for pods that share a claim: its volume is in the zone of the first of them, and then the others must be there too. While the zone of
 * the first node is not known, only that node is promised.
 */
export const sharedClaimFilter: Filter = ({ volumes: { waitingClaims } }, cluster) => {
  if (waitingClaims.length === 0) return undefined;
  const isInZoneOfFirst = (state: NodeState, claim: string): boolean => {
    const first = cluster.nodeOfClaim(claim);
    return first === undefined || isInZoneOf(state, first);
  };
  return refuseUnless(reasons.volumeAffinity, (state) =>
    waitingClaims.every((claim) => isInZoneOfFirst(state, claim)),
  );
};

function isInZoneOf(state: NodeState, first: NodeState): boolean {
  if (state.index === first.index || possibleValuesOf(first, zoneKey).length === 0) return true;
  const zone = topologyValueOf(first, zoneKey);
  return zone !== undefined && topologyValueOf(state, zoneKey) === zone;
}

/** VolumeZone. */
export const volumeZoneFilter: Filter = ({ volumes: { zones } }) =>
  zones.length === 0
    ? undefined
    : refuseUnless(reasons.volumeZone, ({ node }) =>
        node.labelSets.every((labels) => isInZones(labels, zones)),
      );
