import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { EtcdFlags } from '../../src/etcd/flags.ts';
import type { EtcdVersion } from './binaries.ts';

export interface Restoration {
  readonly flags: EtcdFlags & { readonly name: string };
  /** A file, with the hash at its end. */
  readonly snapshot: string;
  /** Must not exist yet. */
  readonly dataDirectory: string;
}

/** `etcdutl snapshot restore`: the data directory of a new cluster of one. Throws where the snapshot is incomplete. */
export function restoreSnapshot({ directory }: EtcdVersion, restoration: Restoration): void {
  const { flags, snapshot, dataDirectory } = restoration;
  const options = [
    `--name=${flags.name}`,
    `--initial-cluster=${flags.name}=${flags.peerUrl}`,
    `--initial-advertise-peer-urls=${flags.peerUrl}`,
    `--data-dir=${dataDirectory}`,
  ];
  execFileSync(join(directory, 'etcdutl'), ['snapshot', 'restore', snapshot, ...options], { stdio: 'pipe' });
}
