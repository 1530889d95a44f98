import type { StoredObject } from './bucket.ts';

/** What an object's key tells about its snapshot. */
export interface SnapshotName {
  /** Hexadecimal. */
  readonly clusterId: string;
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /** etcd's, as a decimal string; absent if etcd was not asked for it. */
  readonly revision?: string;
}

export interface Snapshot extends SnapshotName, StoredObject {}

/** `drover/prod/9a3f0c51d2b7e846/2026-11-21T20:05:44.123Z-1042.db`: keys sort by time. */
export const snapshotKey = (prefix: string, { clusterId, takenAt, revision }: SnapshotName): string =>
  `${prefix}/${clusterId}/${new Date(takenAt).toISOString()}${revision === undefined ? '' : `-${revision}`}.db`;

const pattern = /^([0-9a-f]{1,16})\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?:-(\d{1,20}))?\.db$/;

/** Reads a key; undefined for one that is no snapshot under this prefix. */
export function readSnapshotKey(prefix: string, key: string): SnapshotName | undefined {
  if (!key.startsWith(`${prefix}/`)) return undefined;
  const [, clusterId, time = '', revision] = pattern.exec(key.slice(prefix.length + 1)) ?? [];
  const takenAt = Date.parse(time);
  if (clusterId === undefined || Number.isNaN(takenAt)) return undefined;
  return { clusterId, takenAt, revision };
}

/** The snapshots among the objects of a bucket, newest first; other objects are ignored. */
export const snapshotsAmong = (prefix: string, objects: readonly StoredObject[]): readonly Snapshot[] =>
  objects
    .flatMap((object) => {
      const name = readSnapshotKey(prefix, object.key);
      return name ? [{ ...name, ...object }] : [];
    })
    .sort((one, other) => other.takenAt - one.takenAt || (one.key < other.key ? -1 : 1));
