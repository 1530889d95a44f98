import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { EtcdFlags } from '../../src/etcd/flags.ts';
import type { EtcdVersion } from './binaries.ts';

/** Paths. */
export interface MemberFiles {
  readonly dataDirectory: string;
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
  /** Replaces /etc/resolv.conf for the member. Defaults to the machine's. */
  readonly resolvConf?: string;
}

export interface MemberOptions {
  readonly etcd: EtcdVersion;
  /** The loopback address that it listens on, with etcd's default ports. */
  readonly address: string;
  readonly flags: EtcdFlags & { readonly name: string };
  readonly files: MemberFiles;
}

/** A real etcd as a child of this process. */
export interface RunningMember {
  /** The exit code, once all output is read; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Its log so far. */
  output(): string;
  /** SIGSTOP: its connections stay open, and it answers nothing. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

export function startMember(options: MemberOptions): RunningMember {
  const child = spawnMember(options);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => lines.push(String(chunk)));
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  return {
    exited,
    output: () => lines.join(''),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A member with its own resolv.conf runs in a private mount namespace: the shell mounts the file and then becomes etcd. */
function spawnMember({ etcd, files, ...options }: MemberOptions): ChildProcess {
  const command = [join(etcd.directory, 'etcd'), ...commandLine({ files, ...options })];
  const [program = '', ...rest] =
    files.resolvConf === undefined
      ? command
      : ['unshare', '-m', 'sh', '-c', bindAndBecome, files.resolvConf, ...command];
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
}

const bindAndBecome = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';

function commandLine({ address, flags, files }: Omit<MemberOptions, 'etcd'>): readonly string[] {
  const listen = (port: number): string => `https://${address}:${port}`;
  const tls = (prefix: string): readonly string[] => [
    `--${prefix}trusted-ca-file=${files.certificateAuthority}`,
    `--${prefix}cert-file=${files.certificate}`,
    `--${prefix}key-file=${files.key}`,
    `--${prefix}client-cert-auth`,
  ];
  return [
    `--name=${flags.name}`,
    `--data-dir=${files.dataDirectory}`,
    `--listen-peer-urls=${listen(2380)}`,
    `--listen-client-urls=${listen(2379)}`,
    `--initial-advertise-peer-urls=${flags.peerUrl}`,
    `--advertise-client-urls=${flags.clientUrl}`,
    `--initial-cluster-state=${flags.initialClusterState}`,
    ...(flags.initialClusterToken === undefined
      ? []
      : [`--initial-cluster-token=${flags.initialClusterToken}`]),
    '--logger=zap',
    '--log-level=warn',
    ...tls(''),
    ...tls('peer-'),
    ...discovery(flags),
  ];
}

function discovery({ initialCluster = [], discoverySrv, discoverySrvName }: EtcdFlags): readonly string[] {
  if (discoverySrv === undefined)
    return [`--initial-cluster=${initialCluster.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',')}`];
  const name = discoverySrvName === undefined ? [] : [`--discovery-srv-name=${discoverySrvName}`];
  return [`--discovery-srv=${discoverySrv}`, ...name];
}
