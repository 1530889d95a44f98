import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { oldEtcd } from '../programs.ts';
import { type Installation, runIn } from './install.ts';

/** Out of its package, which is not installed. */
export const debianEtcd: Installation = {
  what: oldEtcd,
  takes: "a moment, from Debian's packages",
  needs: ['apt-get', 'dpkg-deb'],
  put: (directory) => {
    const scratch = mkdtempSync(join(tmpdir(), 'etcd-server-'));
    try {
      runIn(scratch, ['apt-get', 'download', '-q', 'etcd-server']);
      const version = basename(directory);
      const archive = readdirSync(scratch).find((name) => name.startsWith(`etcd-server_${version}`));
      if (archive === undefined) throw new Error(`this Debian has another etcd-server than ${version}`);
      runIn(scratch, ['dpkg-deb', '-x', archive, 'content']);
      mkdirSync(join(directory, 'bin'));
      copyFileSync(join(scratch, 'content', 'usr', 'bin', 'etcd'), join(directory, 'bin', 'etcd'));
    } finally {
      rmSync(scratch, { recursive: true });
    }
  },
};
