import type { Pod, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { isFinished } from './pod-facts.ts';

/**
 * A ResourceClaim of resource.k8s.io (dynamic resource allocation) by which a pod has devices. Devices are nearly always those of one node, and
 * the kubelet asks their driver to release them before it lets a pod go:
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export interface DeviceClaim {
  readonly name: string;
  /**
   * It was not made for this pod. It stays allocated, and keeps every pod that uses it on the same node, until no pod uses it any more: the
   * replacement of an evicted pod cannot start elsewhere before that.
   */
  readonly isShared: boolean;
}

/** An entry of `spec.resourceClaims` since Kubernetes 1.31, flatter than in the types of 1.30. */
interface ClaimReference {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** The ResourceClaims by which the pod has devices; none once it has finished, because its devices are free then. */
export function claimsOfDevices(pod: Pod): readonly DeviceClaim[] {
  if (isFinished(pod)) return [];
  const references: readonly ClaimReference[] = pod.spec?.resourceClaims ?? [];
  const made = new Map(
    (pod.status?.resourceClaimStatuses ?? []).map(({ name, resourceClaimName }) => [name, resourceClaimName]),
  );
  const named = references.flatMap(({ name, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName) return [{ name: resourceClaimName, isShared: true }];
    const own = made.has(name) ? made.get(name) : resourceClaimTemplateName;
    return own ? [{ name: own, isShared: false }] : [];
  });
  const extended = extendedClaimOf(pod);
  return extended === undefined ? named : [...named, { name: extended, isShared: false }];
}

/** The claim that the scheduler made for an extended resource, such as `nvidia.com/gpu: 1`, of a driver: KEP-5004. */
function extendedClaimOf({ status }: Pod): string | undefined {
  const known: ExtendedStatus | undefined = status;
  return known?.extendedResourceClaimStatus?.resourceClaimName;
}

/** A field of the status since Kubernetes 1.34. */
interface ExtendedStatus extends PodStatus {
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName?: string };
}

const namesOf = (claims: readonly DeviceClaim[]): string => claims.map(({ name }) => name).join(' and ');

/** What its devices mean for the replacement of a pod; undefined without devices. */
export function noteOnDevices(claims: readonly DeviceClaim[]): string | undefined {
  if (claims.length === 0) return undefined;
  const shared = claims.filter(({ isShared }) => isShared);
  return shared.length > 0
    ? `ResourceClaim ${namesOf(shared)} keeps its pods on this node until the last of them has gone`
    : `needs devices like those of ResourceClaim ${namesOf(claims)} on another node`;
}

/** A pod with devices takes some seconds more to end than one without (kubernetes/kubernetes#127188). */
const releaseMilliseconds = 10_000;

/** Why a pod with devices has not ended after its grace; undefined if it has none or is not late. */
export function noteOnRelease(
  claims: readonly DeviceClaim[],
  { terminatesAt, now }: { readonly terminatesAt: number | undefined; readonly now: number },
): string | undefined {
  const isLate = terminatesAt !== undefined && terminatesAt + releaseMilliseconds < now;
  return isLate && claims.length > 0
    ? `its kubelet needs the driver of ResourceClaim ${namesOf(claims)} to release the devices`
    : undefined;
}
