import type { StoredObject } from './bucket.ts';

/** What the key of an object says about its snapshot. */
export interface SnapshotName {
  /** Hexadecimal. */
  readonly clusterId: string;
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /** The revision of etcd's keys, as a decimal string; undefined if etcd was not asked for it. */
  readonly revision?: string;
}

export interface Snapshot extends SnapshotName, StoredObject {
  /** Why Drover did not store this object, if its time or size shows that. Such an object is neither counted nor removed. */
  readonly doubt?: string;
}

/** `drover/prod/9a3f0c51d2b7e846/2026-11-21T20:05:44.123Z-1042.db`: keys sort by time. */
export const snapshotKey = (prefix: string, { clusterId, takenAt, revision }: SnapshotName): string =>
  `${prefix}/${clusterId}/${new Date(takenAt).toISOString()}${revision === undefined ? '' : `-${revision}`}.db`;

const pattern = /^([0-9a-f]{1,16})\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?:-(\d{1,20}))?\.db$/;

/** Reads a key; undefined for one that is not a snapshot under this prefix. */
export function readSnapshotKey(prefix: string, key: string): SnapshotName | undefined {
  if (!key.startsWith(`${prefix}/`)) return undefined;
  const [, clusterId, time = '', revision] = pattern.exec(key.slice(prefix.length + 1)) ?? [];
  const takenAt = Date.parse(time);
  if (clusterId === undefined || Number.isNaN(takenAt)) return undefined;
  return { clusterId, takenAt, revision };
}

/** Two clocks may differ by this, and S3 lists times in whole seconds. */
const skewMilliseconds = 300_000;

/** The name has the time at which the upload began. Some stores list the time at which it ended. */
const longestUploadMilliseconds = 3_600_000;

/** A new database of bbolt: four pages. */
const smallestDatabaseBytes = 16 * 1024;
/** etcdutl expects a hash at the end of a snapshot if the size is a number of blocks plus the hash (`etcdutl/snapshot/v3_snapshot.go`). */
const blockBytes = 512;
const hashBytes = 32;

/**
 * The snapshots among the objects of a bucket, newest first by S3's own time; other objects are ignored. A name proves nothing: write
 * access to the bucket is enough to choose it.
 */
export const snapshotsAmong = (prefix: string, objects: readonly StoredObject[]): readonly Snapshot[] =>
  objects
    .flatMap((object) => {
      const name = readSnapshotKey(prefix, object.key);
      return name ? [{ ...name, ...object, ...doubtAbout({ ...name, ...object }) }] : [];
    })
    .sort(
      (one, other) =>
        other.storedAt - one.storedAt || other.takenAt - one.takenAt || (one.key < other.key ? -1 : 1),
    );

function doubtAbout({ takenAt, storedAt, bytes }: SnapshotName & StoredObject): Pick<Snapshot, 'doubt'> {
  if (takenAt - storedAt > skewMilliseconds)
    return { doubt: 'its name is ahead of the time at which S3 took it' };
  if (storedAt - takenAt > longestUploadMilliseconds)
    return { doubt: 'S3 took it more than an hour after the time in its name' };
  if (bytes < smallestDatabaseBytes + hashBytes || bytes % blockBytes !== hashBytes)
    return { doubt: 'no snapshot of etcd has this size' };
  return {};
}
