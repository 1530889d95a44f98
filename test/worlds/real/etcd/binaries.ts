import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A version of etcd that members are run of, outside the checkout; `npm run real:etcd` puts them there. */
export interface EtcdVersion {
  readonly version: string;
  readonly directory: string;
  readonly isInstalled: boolean;
}

const installed = (version: string, programs: readonly string[]): EtcdVersion => {
  const directory = join(homedir(), '.cache', 'drover', 'etcd', version, 'bin');
  return { version, directory, isInstalled: programs.every((name) => existsSync(join(directory, name))) };
};

/** Built from the Go module proxy, with its tools. */
export const etcd36 = installed('3.6.16', ['etcd', 'etcdctl', 'etcdutl']);
/** Debian's, the server alone. */
export const etcd34 = installed('3.4.23', ['etcd']);
