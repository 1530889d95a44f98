import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdInstance } from '../../src/etcd/machines.ts';
import type { TestAuthority, TestCredential } from '../test-authority.ts';
import type { EtcdVersion } from './binaries.ts';
import { type RunningMember, startMember } from './member.ts';
import { restoreSnapshot } from './restore-snapshot.ts';

export interface RealMembersOptions {
  readonly etcd: EtcdVersion;
  readonly authority: TestAuthority;
  /** More names for a member's certificate, in addition to its addresses, its host and its domain. */
  readonly namesOf?: (instanceId: string) => readonly string[];
  /** The address of a name server, which listens on port 53. Defaults to the machine's resolver. */
  readonly nameServer?: string;
}

/** How a member exited that was not killed by us. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** The counterpart of `EtcdWorld` in the simulation, with real members: addresses are on loopback, the time is the machine's. */
export interface RealMembers {
  boot(instanceId: string, instance: EtcdInstance): Promise<void>;
  /** Starts a new cluster of only this member, with the keys of a snapshot. Rejects if etcdutl refuses the snapshot. */
  restore(instanceId: string, instance: EtcdInstance, snapshot: Uint8Array): Promise<void>;
  kill(instanceId: string): Promise<void>;
  /** SIGSTOP: like a machine or a disk that hangs. */
  pause(instanceId: string): void;
  resume(instanceId: string): void;
  start(instanceId: string): Promise<void>;
  wipe(instanceId: string): void;
  /** Where its etcd keeps its data on this machine. */
  dataDirectoryOf(instanceId: string): string;
  /** Kills it and deletes its data. */
  vanish(instanceId: string): Promise<void>;
  /** Undefined while it runs, and after it was killed. */
  ended(instanceId: string): Ended | undefined;
  /** Kills all, and leaves nothing behind. */
  close(): Promise<void>;
}

interface Machine extends EtcdInstance {
  readonly credential: TestCredential;
  running?: RunningMember;
  ended?: Ended;
}

export function createRealMembers(options: RealMembersOptions): RealMembers {
  const { etcd, nameServer } = options;
  const directory = mkdtempSync(join(tmpdir(), 'etcd-'));
  const machines = new Map<string, Machine>();
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const resolvConf =
    nameServer === undefined
      ? undefined
      : file('resolv.conf', `nameserver ${nameServer}\noptions timeout:1\n`);

  const machineOf = (instanceId: string): Machine => {
    const machine = machines.get(instanceId);
    if (machine === undefined) throw new Error(`there is no instance ${instanceId}`);
    return machine;
  };
  const filesOf = (instanceId: string, { dataDirectory, credential }: Machine) => ({
    dataDirectory: join(directory, dataDirectory),
    certificateAuthority: file('ca.crt', options.authority.certificate),
    certificate: file(`${instanceId}.crt`, credential.certificate),
    key: file(`${instanceId}.key`, credential.key),
    ...(resolvConf && { resolvConf }),
  });
  const run = (instanceId: string): void => {
    const machine = machineOf(instanceId);
    const { name = instanceId, ...flags } = machine.flags();
    const files = filesOf(instanceId, machine);
    const running = startMember({ etcd, address: machine.address, flags: { ...flags, name }, files });
    machine.running = running;
    delete machine.ended;
    void running.exited.then((code) => afterwards(instanceId, { running, code: code ?? -1 }));
  };
  const afterwards = async (
    instanceId: string,
    { running, code }: { readonly running: RunningMember; readonly code: number },
  ): Promise<void> => {
    const machine = machines.get(instanceId);
    // It was killed or replaced: it did not exit by itself.
    if (machine?.running !== running) return;
    delete machine.running;
    machine.ended = { code, output: running.output() };
    if (machine.restartSeconds === undefined) return;
    await sleep(machine.restartSeconds * 1000);
    if (machines.get(instanceId) === machine && machine.running === undefined) run(instanceId);
  };
  const kill = async (instanceId: string): Promise<void> => {
    const machine = machines.get(instanceId);
    const running = machine?.running;
    delete machine?.running;
    await running?.kill();
  };
  /** An interrupted run leaves no etcd behind. */
  const killAll = (): void => {
    for (const { running } of machines.values()) void running?.kill();
  };
  process.once('exit', killAll);
  const dataDirectoryOf = (instanceId: string): string =>
    join(directory, machineOf(instanceId).dataDirectory);
  const wipe = (instanceId: string): void =>
    rmSync(dataDirectoryOf(instanceId), { recursive: true, force: true });

  const boot = async (instanceId: string, instance: EtcdInstance): Promise<void> => {
    const credential = await issue(options, instanceId, instance);
    machines.set(instanceId, { ...instance, credential });
    run(instanceId);
  };

  return {
    boot,
    restore: async (instanceId, instance, snapshot) => {
      restoreSnapshot(etcd, {
        flags: { name: instanceId, ...instance.flags() },
        snapshot: file(`${instanceId}.db`, snapshot),
        dataDirectory: join(directory, instance.dataDirectory),
      });
      await boot(instanceId, instance);
    },
    kill,
    pause: (instanceId) => machineOf(instanceId).running?.pause(),
    resume: (instanceId) => machineOf(instanceId).running?.resume(),
    start: async (instanceId) => run(instanceId),
    wipe,
    dataDirectoryOf,
    vanish: async (instanceId) => {
      await kill(instanceId);
      wipe(instanceId);
      machines.delete(instanceId);
    },
    ended: (instanceId) => machines.get(instanceId)?.ended,
    close: async () => {
      const instanceIds = [...machines.keys()];
      const killed = Promise.all(instanceIds.map(kill));
      machines.clear();
      await killed;
      process.off('exit', killAll);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Peers on loopback dial from 127.0.0.1, and etcd compares a peer's certificate with its source address. */
function issue(
  { authority, namesOf }: RealMembersOptions,
  instanceId: string,
  { address, flags }: EtcdInstance,
): Promise<TestCredential> {
  const { peerUrl, discoverySrv } = flags();
  const names = [address, '127.0.0.1', new URL(peerUrl).hostname, ...(namesOf?.(instanceId) ?? [])];
  if (discoverySrv !== undefined) names.push(discoverySrv);
  return authority.issue({ commonName: instanceId, names: [...new Set(names)] });
}
