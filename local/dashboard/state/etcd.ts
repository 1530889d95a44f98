import type { Cloud } from '@drover/cloud-sandbox';
import type { EtcdView } from '../../../ui/state/types.ts';
import { etcdView as readView } from '../../story/etcd-view.ts';

/** The members that run, and the newest snapshot; undefined if none has run yet. If none runs now, a snapshot shows that some have. */
export function etcdView(cloud: Pick<Cloud, 'account' | 'etcd' | 'lambda'>): EtcdView | undefined {
  const { members } = readView(cloud);
  const voters = Math.max(0, ...members.map((member) => member.voters));
  const snapshotAt = newestSnapshot(cloud);
  if (members.length === 0 && snapshotAt === undefined) return undefined;
  return {
    members: members.map(({ instanceId, standing, serves, leads }) => ({
      instanceId,
      standing,
      serves,
      leads,
    })),
    voters,
    servingVoters: members.filter(({ standing, serves }) => standing === 'voter' && serves).length,
    quorum: Math.floor(voters / 2) + 1,
    ...(snapshotAt !== undefined && { snapshotAt }),
  };
}

function newestSnapshot({ account, lambda }: Pick<Cloud, 'account' | 'lambda'>): number | undefined {
  const place = lambda.functionOf('etcd-membership').environment['DROVER_ETCD_SNAPSHOTS'] ?? '';
  const [, Bucket, Prefix] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(place) ?? [];
  if (Bucket === undefined) return undefined;
  const { Contents } = account.s3.operations.ListObjectsV2({ Bucket, ...(Prefix && { Prefix }) });
  const times = Contents.flatMap(({ LastModified }) => LastModified?.getTime() ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
