import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { withFewerCalls } from '../shared/aws/cached.ts';
import { autoScalingClient, ec2Client } from '../shared/aws/clients.ts';
import { createEc2 } from '../shared/aws/ec2.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import {
  findHealthyMembers,
  type KeepFresh,
  keepSnapshotsFresh,
  newestAgeSeconds,
} from '../shared/etcd/snapshots/keep-fresh.ts';
import { defaultRetention } from '../shared/etcd/snapshots/retention.ts';
import { createEtcdSnapshots } from '../shared/etcd-api/etcd-snapshots.ts';
import { streamHttps } from '../shared/etcd-api/http.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { composeEtcdCluster, etcdCredentials, etcdSettings } from '../shared/runtime/etcd-context.ts';
import { snapshotPlace } from '../shared/runtime/etcd-snapshot-place.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** The result of a run, for operators who invoke it by hand. */
export interface SnapshotSummary {
  readonly reason: string;
  readonly key?: string;
  readonly removed: number;
}

/** Fails the run, so that the alarm for missing snapshots goes off. A cluster that has no snapshot yet may still be forming. */
class NoHealthyMemberError extends Error {
  override readonly name = 'NoHealthyMemberError';

  constructor(age: number) {
    super(
      `no snapshot is taken: no member has quorum, or none can be reached; the newest snapshot is ${age} s old; see drover etcd status`,
    );
  }
}

/**
 * Keeps a fresh snapshot of etcd in S3. No member is removed without one.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SnapshotSummary> {
  const { clusterName, etcdHookName, etcdLaunchHookName } = readConfig(host.environment, [
    'clusterName',
    'etcdHookName',
    'etcdLaunchHookName',
    'etcdClientParameter',
    'etcdSnapshots',
    'etcdSnapshotBucketOwner',
    'etcdSnapshotKeyId',
    'etcdSnapshotMaxAgeSeconds',
  ]);
  const settings = etcdSettings(host);
  const place = settings?.mode === 'members' ? snapshotPlace(host) : undefined;
  if (!settings || !place) return async () => ({ reason: 'this deployment takes no snapshots', removed: 0 });
  const { clock } = host;
  const connection = awsConnection(host);
  const context = {
    autoScaling: withFewerCalls(
      createAutoScaling({ client: autoScalingClient(connection), clusterName }),
      clock,
    ),
    ec2: createEc2(ec2Client(connection)),
    cluster: composeEtcdCluster(host)(),
    clock,
    settings,
    etcdHookName,
    etcdLaunchHookName,
  };
  const snapshots = createEtcdSnapshots({
    stream: host.streamHttp ?? streamHttps,
    credentials: etcdCredentials(host),
  });
  const log = createLog(host, { function: 'etcd-snapshot' });
  const metrics = createMetrics(host, clusterName);
  // The age of a fresh one needs no action, and its metric would cost money in each hour.
  const reportAge = (ageSeconds: number): void =>
    metrics.put({ EtcdSnapshotAgeSeconds: ageSeconds > place.maxAgeSeconds ? ageSeconds : 0 });
  const onFailedMember: KeepFresh['onFailedMember'] = ({ endpoint: { serverName } }, error) =>
    log.error('a member gave no snapshot, the next one is tried', error, { member: serverName });
  return async () => {
    const { healthy, instances } = await findHealthyMembers(context);
    const [first, ...others] = healthy;
    if (!first) {
      const age = instances > 0 ? await newestAgeSeconds({ ...place, clock }) : Infinity;
      if (age < Infinity) reportAge(age);
      if (age < Infinity && age > place.maxAgeSeconds) throw new NoHealthyMemberError(age);
      log.warn('no snapshot is taken: no member has quorum');
      return { reason: 'no member has quorum', removed: 0 };
    }
    const { taken, removed, left, doubtful, ageSeconds, overtaken } = await keepSnapshotsFresh(
      { ...place, snapshots, clock, retention: defaultRetention, onFailedMember },
      [first, ...others],
    );
    reportAge(ageSeconds);
    if (overtaken)
      log.error(
        'the newest snapshot has a lower revision than an earlier one: an empty etcd may have replaced the cluster',
        undefined,
        { newestToRestore: overtaken },
      );
    log.info('snapshot', { ageSeconds, removed, key: taken?.key, bytes: taken?.bytes });
    if (left > 0) log.warn('more snapshots are due to be removed than one run removes', { left });
    if (doubtful.length > 0)
      log.warn(
        'objects are named like snapshots, but Drover did not store them: they are not counted and stay',
        {
          objects: doubtful.length,
          first: doubtful.slice(0, 3),
        },
      );
    return {
      reason: taken ? 'a snapshot was taken' : `the newest snapshot is ${ageSeconds} s old`,
      removed: removed.length,
      key: taken?.key,
    };
  };
}

export const handler = onLambda(create);
