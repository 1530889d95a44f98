import type { Snapshot } from './names.ts';

/**
 * The snapshots that restore takes unless another is named, in their order. It leaves out those in doubt, and those with a lower revision
 * than an earlier one of their cluster: the revision only grows while a cluster lives, so an empty etcd has taken its place, or a member
 * was behind. Pure.
 */
export function restorableAmong(newestFirst: readonly Snapshot[]): readonly Snapshot[] {
  const highest = new Map<string, bigint>();
  const restorable = newestFirst.toReversed().filter(({ clusterId, revision, doubt }) => {
    if (doubt !== undefined) return false;
    if (revision === undefined) return true;
    const before = highest.get(clusterId) ?? 0n;
    const isBehind = BigInt(revision) < before;
    if (!isBehind) highest.set(clusterId, BigInt(revision));
    return !isBehind;
  });
  return restorable.toReversed();
}
