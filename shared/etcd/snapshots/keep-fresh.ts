import type { Clock } from '../../base/clock.ts';
import { canVote, type EtcdEndpoint, EtcdError, type EtcdSnapshots } from '../cluster.ts';
import type { EtcdContext } from '../context.ts';
import { findEtcdGroups, instancesOf } from '../groups.ts';
import { addressesOf, endpointOf } from '../observe.ts';
import type { SnapshotBucket, SnapshotContent } from './bucket.ts';
import { type Snapshot, snapshotKey, snapshotsAmong } from './names.ts';
import { ageSeconds, isFresh, planRetention, type RetentionPolicy, restorableAmong } from './retention.ts';

/** A healthy member that votes, and the cluster that it belongs to. */
export interface SnapshotSource {
  readonly endpoint: EtcdEndpoint;
  readonly clusterId: string;
  /** The revision of its keys when it was asked. */
  readonly revision?: string;
}

export interface KeepFresh {
  readonly snapshots: EtcdSnapshots;
  readonly bucket: SnapshotBucket;
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly prefix: string;
  /** The newest snapshot should never be older. The next one is taken at half of this age. */
  readonly maxAgeSeconds: number;
  readonly retention: RetentionPolicy;
  /** Receives why a member gave no snapshot. The next member is tried. */
  readonly onFailedMember: (source: SnapshotSource, error: EtcdError) => void;
}

/** Healthy members of one cluster, in the order in which they are tried. */
type SnapshotSources = readonly [SnapshotSource, ...SnapshotSource[]];

interface KeptFresh {
  /** Undefined if no snapshot was due. */
  readonly taken?: TakenSnapshot;
  readonly removed: readonly string[];
  /** The number of further snapshots that the policy does not keep. Later runs remove them. */
  readonly left: number;
  /** Objects that are named like snapshots, but that Drover did not store. */
  readonly doubtful: readonly string[];
  /** The age of the newest snapshot. */
  readonly ageSeconds: number;
  /** The newest snapshot that restore takes, if a later one has a lower revision: an empty etcd may have replaced the cluster. */
  readonly overtaken?: string;
}

/** A run adds one snapshot, so one or two are due for removal. If more are, it may be a mistake or an attack: the limit leaves time to notice. */
const mostRemovals = 4;

/** etcd-snapshot runs every five minutes. */
const runMilliseconds = 300_000;

/** Takes a snapshot if one is due, and only then removes the oldest of those that the policy does not keep. */
export async function keepSnapshotsFresh(options: KeepFresh, sources: SnapshotSources): Promise<KeptFresh> {
  const { bucket, clock, prefix, maxAgeSeconds, retention } = options;
  const all = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const own = all.filter(({ clusterId }) => clusterId === sources[0].clusterId);
  const doubtful = all.filter(({ doubt }) => doubt !== undefined).map(({ key }) => key);
  if (isFresh(own, clock.now(), maxAgeSeconds / 2))
    return {
      removed: [],
      left: 0,
      doubtful,
      ageSeconds: Math.round(ageSeconds(own, clock.now())),
      ...overtaken(own),
    };
  const taken = await takeFromFirst(options, startingAt(Math.floor(clock.now() / runMilliseconds), sources));
  const after = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const due = planRetention(after, clock.now(), retention)
    .remove.map(({ key }) => key)
    .filter((key) => key !== taken.key);
  const removed = due.slice(-mostRemovals);
  for (const key of removed) await bucket.remove(key);
  const left = due.length - removed.length;
  const ownAfter = after.filter(({ clusterId }) => clusterId === sources[0].clusterId);
  return { taken, removed, left, doubtful, ageSeconds: 0, ...overtaken(ownAfter) };
}

/** The newest snapshot of one cluster that restore takes, unless it is the newest of all. */
function overtaken(own: readonly Snapshot[]): Pick<KeptFresh, 'overtaken'> {
  const [restorable] = restorableAmong(own);
  const newest = own.find(({ doubt }) => doubt === undefined);
  return restorable && restorable.key !== newest?.key ? { overtaken: restorable.key } : {};
}

/** Runs begin with different members, so that a member whose stream is too slow does not fail every run. */
function startingAt(run: number, sources: SnapshotSources): SnapshotSources {
  const start = run % sources.length;
  const [first = sources[0], ...others] = [...sources.slice(start), ...sources.slice(0, start)];
  return [first, ...others];
}

/** Takes a snapshot of the first member that gives one. A refusal of the bucket fails the run, because it would hold for every member. */
async function takeFromFirst(
  options: KeepFresh,
  [source, ...others]: SnapshotSources,
): Promise<TakenSnapshot> {
  try {
    return await takeSnapshot({ ...options, ...source });
  } catch (error) {
    const [next, ...rest] = others;
    if (!(error instanceof EtcdError) || !next) throw error;
    options.onFailedMember(source, error);
    return await takeFromFirst(options, [next, ...rest]);
  }
}

/** The age of the newest snapshot of any cluster; infinite if there is none. */
export async function newestAgeSeconds({
  bucket,
  clock,
  prefix,
}: Pick<KeepFresh, 'bucket' | 'clock' | 'prefix'>): Promise<number> {
  return Math.round(ageSeconds(snapshotsAmong(prefix, await bucket.list(`${prefix}/`)), clock.now()));
}

/** Why a member must not be removed yet; undefined if a snapshot of its cluster is fresh. */
export async function staleSnapshotReason(
  { bucket, clock, prefix, maxAgeSeconds }: Pick<KeepFresh, 'bucket' | 'clock' | 'prefix' | 'maxAgeSeconds'>,
  clusterId: string,
): Promise<string | undefined> {
  const own = snapshotsAmong(prefix, await bucket.list(`${prefix}/${clusterId}/`));
  if (isFresh(own, clock.now(), maxAgeSeconds)) return undefined;
  const age = ageSeconds(own, clock.now());
  const newest = Number.isFinite(age)
    ? `the newest snapshot is ${Math.round(age)} s old`
    : 'there is no snapshot';
  return `${newest}, and a removal needs one of at most ${maxAgeSeconds} s: etcd-snapshot takes one within five minutes`;
}

interface TakeSnapshot {
  readonly snapshots: EtcdSnapshots;
  readonly endpoint: EtcdEndpoint;
  readonly bucket: SnapshotBucket;
  readonly clock: Clock;
  /** The prefix of the keys, without a trailing slash. */
  readonly prefix: string;
  readonly clusterId: string;
  readonly revision?: string;
}

interface TakenSnapshot extends SnapshotContent {
  readonly key: string;
}

/**
 * Streams the database of a member into the bucket. The object is stored only if the stream is complete and its content matches
 * the hash that etcd appends.
 */
export async function takeSnapshot(options: TakeSnapshot): Promise<TakenSnapshot> {
  const { snapshots, endpoint, bucket, clock, prefix, clusterId, revision } = options;
  const name = { clusterId, takenAt: clock.now(), revision };
  const key = snapshotKey(prefix, name);
  const metadata = { 'cluster-id': clusterId, member: endpoint.serverName };
  return { key, ...(await bucket.put({ key, metadata }, snapshots.stream(endpoint))) };
}

type Context = Pick<
  EtcdContext,
  'autoScaling' | 'clock' | 'cluster' | 'ec2' | 'etcdHookName' | 'etcdLaunchHookName' | 'settings'
>;

interface HealthyMembers {
  readonly healthy: readonly SnapshotSource[];
  /** The number of instances in the groups, whether or not an etcd answers on them. */
  readonly instances: number;
}

/**
 * Finds the instances of the groups whose members vote and have quorum. If they belong to several clusters, the largest one
 * counts: an etcd that something else started on one instance must not hide the members.
 */
export async function findHealthyMembers(context: Context): Promise<HealthyMembers> {
  const listed = instancesOf(await findEtcdGroups(context));
  const found = await Promise.all(listed.map(({ instanceId }) => sourceOn(context, instanceId)));
  const clusters = Map.groupBy(
    found.filter((one) => one !== undefined),
    ({ clusterId }) => clusterId,
  );
  const [largest = []] = [...clusters.values()].toSorted((one, other) => other.length - one.length);
  return { healthy: largest, instances: listed.length };
}

async function sourceOn(context: Context, instanceId: string): Promise<SnapshotSource | undefined> {
  const found = await context.ec2.describeInstance(instanceId);
  if (found?.state !== 'running') return undefined;
  const endpoint = endpointOf({ instanceId, addresses: addressesOf(found) }, context);
  const status = endpoint && (await context.cluster?.status(endpoint));
  return endpoint && canVote(status)
    ? { endpoint, clusterId: status.clusterId, revision: status.revision }
    : undefined;
}
