import { shellWord } from '../../../shared/base/shell-words.ts';
import { type EtcdNaming, memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import { restoredClusterId } from './restored-cluster.ts';

export interface RestoreInput {
  readonly clusterName: string;
  /** The instance that is to be the first member. */
  readonly instanceId: string;
  readonly naming: EtcdNaming;
  readonly dataDirectory: string;
  /** The hosted zone, if it is known here. */
  readonly zoneId: string | undefined;
  /** The database, as it is called where the commands are run. */
  readonly file: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface RestoreCommands {
  /** Of the cluster that the commands make: another than that of the snapshot, so that what is left of that one stays out. */
  readonly clusterId: string;
  /** On the instance, as root. */
  readonly onInstance: readonly string[];
  /** On each other instance that stays, as root: with the data that it has, etcd would start as a member of the lost cluster. */
  readonly onOthers: readonly string[];
  /** Where drover is, once the member serves. */
  readonly afterwards: readonly string[];
}

/** What makes a cluster of one member out of a snapshot, and Drover take it for the one of its domain. Pure. */
export function restoreCommands(input: RestoreInput): RestoreCommands {
  const { instanceId, naming, dataDirectory, file, now, clusterName, zoneId } = input;
  const url = peerUrl(memberHost(instanceId, naming), naming);
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const token = `drover-restore-${stamp}`;
  const restored = `${dataDirectory}/restored-${stamp}`;
  const clusterId = restoredClusterId({ peerUrl: url, token });
  // Inside the data directory, which may be a mounted volume: that can be neither moved nor replaced.
  const setAside = `[ ! -e ${dataDirectory}/member ] || mv ${dataDirectory}/member ${dataDirectory}/member.before-${stamp}`;
  return {
    clusterId,
    onInstance: [
      'systemctl stop etcd',
      setAside,
      [
        `etcdutl snapshot restore ${shellWord(file)}`,
        `--name ${instanceId}`,
        `--initial-cluster ${instanceId}=${url}`,
        `--initial-cluster-token ${token}`,
        `--initial-advertise-peer-urls ${url}`,
        // Watches that remember the old revisions must see that time has moved on.
        '--bump-revision 1000000000 --mark-compacted',
        `--data-dir ${restored}`,
      ].join(' \\\n  '),
      `mv ${restored}/member ${dataDirectory}/member && rmdir ${restored}`,
      `chown -R etcd: ${dataDirectory}/member`,
      'systemctl start etcd',
    ],
    onOthers: ['systemctl stop etcd', setAside, 'systemctl start etcd'],
    afterwards: [
      `drover etcd adopt --cluster ${clusterName} --domain ${naming.domain} --zone ${zoneId ?? '"$DROVER_ETCD_ZONE_ID"'} --cluster-id ${clusterId}`,
    ],
  };
}
