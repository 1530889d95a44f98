import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EtcdVersion, etcd34, etcd36 } from './binaries.ts';

/**
 * Puts real etcd where `npm run test:real` looks for it: 3.6 built from the Go module proxy (a minute or more), Debian's
 * 3.4 out of its package, where there is an apt. What is there already is left alone.
 */
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const inDirectory = (directory: string, command: string, ...options: readonly string[]): void => {
  execFileSync(command, options, {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
  });
};

function buildFromProxy(directory: string): void {
  const build = (name: string, command: string): void => {
    const output = join(directory, name);
    const options = ['build', '-trimpath', '-ldflags', '-s -w', '-o', output, command];
    inDirectory(join(import.meta.dirname, 'build'), 'go', ...options);
  };
  build('etcdctl', 'go.etcd.io/etcd/etcdctl/v3');
  build('etcdutl', 'go.etcd.io/etcd/etcdutl/v3');
  build('etcd', 'go.etcd.io/etcd/server/v3');
}

function extractFromDebian(directory: string, version: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'etcd-server-'));
  try {
    inDirectory(scratch, 'apt-get', 'download', '-q', 'etcd-server');
    const archive = readdirSync(scratch).find((name) => name.startsWith(`etcd-server_${version}`));
    if (archive === undefined) throw new Error(`this Debian has another etcd-server than ${version}`);
    inDirectory(scratch, 'dpkg-deb', '-x', archive, 'content');
    copyFileSync(join(scratch, 'content', 'usr', 'bin', 'etcd'), join(directory, 'etcd'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function install({ version, directory, isInstalled }: EtcdVersion, put: () => void): void {
  if (isInstalled) {
    say(`etcd ${version} is in ${directory}`);
    return;
  }
  mkdirSync(directory, { recursive: true });
  put();
  say(`etcd ${version} is now in ${directory}`);
}

install(etcd36, () => buildFromProxy(etcd36.directory));
try {
  install(etcd34, () => extractFromDebian(etcd34.directory, etcd34.version));
} catch (error) {
  // Needed only for what differs in it; its tests are skipped, and say so.
  say(`etcd ${etcd34.version} cannot be had here: ${error instanceof Error ? error.message : String(error)}`);
}
