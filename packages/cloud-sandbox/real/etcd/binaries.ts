import { basename, join } from 'node:path';
import type { Installed } from '../installed.ts';
import { etcd, oldEtcd } from '../programs.ts';

/** A version of etcd that members are run of. */
export interface EtcdVersion {
  readonly version: string;
  /** Of its programs. */
  readonly directory: string;
  readonly isInstalled: boolean;
}

const versionOf = ({ directory, isInstalled }: Installed): EtcdVersion => ({
  version: basename(directory),
  directory: join(directory, 'bin'),
  isInstalled,
});

/** Built from the Go module proxy, with its tools, in the version of this run. */
export const chosenEtcd = versionOf(etcd);
export const etcd34 = versionOf(oldEtcd);
