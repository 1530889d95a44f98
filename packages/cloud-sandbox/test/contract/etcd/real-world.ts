import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdVersion } from '../../../real/etcd/binaries.ts';
import { callersOf } from '../../../real/etcd/callers.ts';
import { openNameServer } from '../../../real/etcd/name-server.ts';
import { createRealMembers } from '../../../real/etcd/real-members.ts';
import { sendHttps, streamHttps } from '../../../real/https.ts';
import { createTestAuthority } from '../../../real/test-authority.ts';
import type { EtcdInstance } from '../../../src/etcd/machines.ts';
import { callsOf } from './calls.ts';
import { createMembers, instanceOf } from './members.ts';
import type { EtcdWorld, TestMember } from './world.ts';
import { type DnsRecord, zoneOf } from './zone.ts';

export interface RealEtcdWorld extends EtcdWorld {
  /** SIGSTOP, as a machine or a disk that hangs. */
  readonly pause: (member: TestMember) => void;
  readonly resume: (member: TestMember) => void;
  /** Ends every member and takes its data away. */
  readonly close: () => Promise<void>;
}

export interface RealEtcdWorldOptions {
  readonly etcd: EtcdVersion;
  /** Members have host names, and a name server that knows what is published. */
  readonly withNames?: boolean;
}

/** Worlds run side by side: each has a network on loopback of its own, and so has each process. */
const nextNetwork = (() => {
  let number = 0;
  return (): string => {
    number += 1;
    return `127.${10 + (process.pid % 200)}.${number}`;
  };
})();

/** Real members on loopback, with mutual TLS of a small authority of their own. */
export async function createRealEtcdWorld({
  etcd,
  withNames = false,
}: RealEtcdWorldOptions): Promise<RealEtcdWorld> {
  const network = nextNetwork();
  const authority = await createTestAuthority();
  const credentials = await callersOf(authority, Date.now());
  const nameServer = `${network}.53`;
  const zone = { records: [] as readonly DnsRecord[] };
  const faults: unknown[] = [];
  const names = withNames
    ? await openNameServer(
        nameServer,
        () => [zoneOf(zone.records)],
        (fault) => faults.push(fault),
      )
    : undefined;
  const members = createRealMembers({
    etcd,
    authority,
    namesOf: (name) => [`${name}.etcd.test`],
    ...(names && { nameServer }),
  });
  const boot = (name: string, instance: EtcdInstance): Promise<void> => members.boot(name, instance);
  const access = { send: sendHttps, stream: streamHttps, credentials };

  return {
    ...access,
    ...callsOf(access),
    version: etcd.version,
    members: createMembers({ network, withNames }),
    publish: async (records) => {
      zone.records = records;
    },
    start: (member, start) => boot(member.name, instanceOf(member, start)),
    restore: (member, snapshot) =>
      members.restore(member.name, instanceOf(member, { state: 'existing', with: [member] }), snapshot),
    kill: ({ name }) => members.kill(name),
    pause: ({ name }) => members.pause(name),
    resume: ({ name }) => members.resume(name),
    restart: ({ name }) => members.start(name),
    wipe: async ({ name }) => members.wipe(name),
    ended: ({ name }) => members.ended(name),
    pass: (seconds) => sleep(seconds * 1000),
    close: async () => {
      await members.close();
      await names?.close();
      if (faults.length > 0) throw new AggregateError(faults, 'the name server has failed');
    },
  };
}
