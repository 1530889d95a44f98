import type { ServedZone } from '../../src/aws/route53/route53.ts';
import type { EtcdMachines } from '../../src/cloud/etcd-members.ts';
import { sendHttps, streamHttps } from '../https.ts';
import { createTestAuthority } from '../test-authority.ts';
import type { EtcdVersion } from './binaries.ts';
import { callersOf } from './callers.ts';
import { openNameServer } from './name-server.ts';
import { createRealMembers, type RealMembers } from './real-members.ts';

export interface RealEtcdMachinesOptions {
  readonly etcd: EtcdVersion;
  /** The zones of the simulated Route 53, which a real name server serves. */
  readonly zones: () => readonly ServedZone[];
  readonly onProblem: (problem: unknown) => void;
}

/** Real etcd on the instances of a simulated account. Members find one another by the records of its zones. */
export interface RealEtcdMachines {
  readonly machines: EtcdMachines;
  readonly members: RealMembers;
  /** The loopback address that stands for a private one. */
  readonly addressOf: (privateIpAddress: string) => string;
  /** The credentials of Drover, for a client that the test opens itself. */
  readonly credentials: Awaited<ReturnType<typeof callersOf>>['client'];
  close(): Promise<void>;
}

/** Needs root: the name server listens on port 53, and the members have their own resolv.conf. */
export async function openRealEtcdMachines(options: RealEtcdMachinesOptions): Promise<RealEtcdMachines> {
  const { etcd, zones, onProblem } = options;
  // Each process has its own network on loopback: 10.0.1.5 is 127.N.1.5.
  const network = `127.${10 + (process.pid % 200)}`;
  const addressOf = (privateIpAddress: string): string => privateIpAddress.replace(/^10\.0/, network);
  const authority = await createTestAuthority();
  const { client: credentials } = await callersOf(authority, Date.now());
  const nameServer = `${network}.255.53`;
  const members = createRealMembers({ etcd, authority, nameServer });
  const names = await openNameServer(nameServer, () => mapped(zones(), addressOf), onProblem);
  return {
    machines: machinesOf(members, addressOf, onProblem),
    members,
    addressOf,
    credentials,
    close: async () => {
      await members.close();
      await names.close();
    },
  };
}

function machinesOf(
  members: RealMembers,
  addressOf: (address: string) => string,
  onProblem: (problem: unknown) => void,
): EtcdMachines {
  const moved = (address: string): string => {
    const url = new URL(address);
    url.hostname = addressOf(url.hostname);
    return url.href;
  };
  return {
    boot: (instanceId, instance) => {
      members
        .boot(instanceId, { ...instance, address: addressOf(instance.address), restartSeconds: 1 })
        .catch(onProblem);
    },
    vanish: (instanceId) => {
      members.vanish(instanceId).catch(onProblem);
    },
    send: (request) => sendHttps({ ...request, url: moved(request.url) }),
    stream: (request) => streamHttps({ ...request, url: moved(request.url) }),
  };
}

/** The zones with the addresses where members really listen. */
const mapped = (
  zones: readonly ServedZone[],
  addressOf: (address: string) => string,
): readonly ServedZone[] =>
  zones.map((zone) => ({
    ...zone,
    sets: new Map(
      [...zone.sets].map(([key, set]) => [
        key,
        set.type === 'A' ? { ...set, values: set.values.map(addressOf) } : set,
      ]),
    ),
  }));
