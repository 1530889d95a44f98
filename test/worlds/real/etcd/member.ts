import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import type { EtcdVersion } from './binaries.ts';

/** Where a member listens, and the files that it speaks TLS with. */
export interface MemberFiles {
  readonly dataDirectory: string;
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

export interface MemberOptions {
  readonly etcd: EtcdVersion;
  readonly name: string;
  /** On loopback; ports are etcd's own. */
  readonly address: string;
  /** What it tells its peers, `https://127.0.0.11:2380` unless it has a host name. */
  readonly peerUrl: string;
  readonly clientUrl: string;
  readonly files: MemberFiles;
  /** How it finds the others: `--initial-cluster` or `--discovery-srv`, and the state. */
  readonly bootstrap: readonly string[];
}

/** A real etcd as a child of this process. */
export interface RunningMember {
  /** The exit code, once its last words are read; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** What it has logged. */
  output(): string;
  /** SIGTERM: it hands its leadership over and leaves. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export function startMember(options: MemberOptions): RunningMember {
  const child = spawn(join(options.etcd.directory, 'etcd'), flags(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(String(chunk)));
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await endWith(child, signal, exited);
  };
  return {
    exited,
    output: () => lines.join(''),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** A member that does not heed the signal within 10 s is killed. */
async function endWith(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(patience);
}

function flags({ name, address, peerUrl, clientUrl, files, bootstrap }: MemberOptions): string[] {
  const listen = (port: number): string => `https://${address}:${port}`;
  const tls = (prefix: string): readonly string[] => [
    `--${prefix}trusted-ca-file=${files.certificateAuthority}`,
    `--${prefix}cert-file=${files.certificate}`,
    `--${prefix}key-file=${files.key}`,
    `--${prefix}client-cert-auth`,
  ];
  return [
    `--name=${name}`,
    `--data-dir=${files.dataDirectory}`,
    `--listen-peer-urls=${listen(2380)}`,
    `--listen-client-urls=${listen(2379)}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    '--logger=zap',
    '--log-level=warn',
    ...tls(''),
    ...tls('peer-'),
    ...bootstrap,
  ];
}
