import type { Clock } from '../simulation/clock.ts';
import type { DataDirectory, RemoteCluster } from './bootstrap.ts';
import type { EtcdFlags } from './flags.ts';
import type { EtcdProcess, ProcessState } from './process.ts';
import type { Quorum } from './quorum.ts';

export interface EtcdInstance {
  /** `10.0.1.5` */
  readonly address: string;
  /** Two instances that share a name share a volume. */
  readonly dataDirectory: string;
  /** Asked at every start, as a unit that reads its environment is; etcd heeds them while the data directory is empty. */
  readonly flags: () => EtcdFlags;
  /** As a unit's `Restart=always` and `RestartSec=`; default: whatever has ended stays so. */
  readonly restartSeconds?: number;
}

/** The instances, what runs on them and what lies on their disks. */
export interface Machines {
  readonly instances: Map<string, EtcdInstance>;
  readonly states: Map<string, ProcessState>;
  readonly directories: Map<string, DataDirectory>;
  readonly clock: Clock;
  /** Processes that believe that they are learners, although the list says that they vote (etcd-io/etcd#18347), until they start again. */
  readonly supposedLearners: WeakSet<EtcdProcess>;
}

export function processOn({ states }: Machines, instanceId: string): EtcdProcess | undefined {
  const state = states.get(instanceId);
  return state?.kind === 'running' ? state.process : undefined;
}

export const runningOn = (machines: Machines): readonly (readonly [instanceId: string, EtcdProcess])[] =>
  [...machines.states.keys()].flatMap((instanceId) => {
    const process = processOn(machines, instanceId);
    return process === undefined ? [] : [[instanceId, process] as const];
  });

/** The process of a member; undefined if it does not run. */
export const processOf = (machines: Machines, quorum: Quorum, memberId: string): EtcdProcess | undefined =>
  runningOn(machines)
    .map(([, process]) => process)
    .find((process) => process.quorum === quorum && process.memberId === memberId);

/** Whether a process answers as a learner: it is one, or believes so. */
export const answersAsLearner = ({ supposedLearners }: Machines, process: EtcdProcess): boolean =>
  supposedLearners.has(process) ||
  process.quorum.members().some(({ id, isLearner }) => id === process.memberId && isLearner);

/** How far the log of a member goes, as the leader knows it. */
export function matchOf(machines: Machines, quorum: Quorum, memberId: string): number {
  const process = processOf(machines, quorum, memberId);
  if (process !== undefined && machines.clock.now() >= process.caughtUpAt) return quorum.index();
  const kept = [...machines.directories.values()].find(
    (data) => data.clusterId === quorum.id && data.memberId === memberId,
  );
  return kept?.match ?? 0;
}

/** Leaves on the disk what the process has. */
export function keepData(machines: Machines, instanceId: string, { quorum, memberId }: EtcdProcess): void {
  const instance = machines.instances.get(instanceId);
  if (instance === undefined) return;
  const match = matchOf(machines, quorum, memberId);
  machines.directories.set(instance.dataDirectory, { clusterId: quorum.id, memberId, match });
}

/** The answer of `/members` of the member that listens to peers there. */
export function remoteAt(machines: Machines, socket: string): RemoteCluster | undefined {
  const found = runningOn(machines).find(([instanceId, { flags }]) => {
    const address = machines.instances.get(instanceId)?.address;
    return `${address}:${new URL(flags.peerUrl).port}` === socket;
  });
  if (found === undefined) return undefined;
  const [, { quorum }] = found;
  return { clusterId: quorum.id, members: quorum.members() };
}

/** The process that may listen there (`10.0.1.5:2379`); undefined: no instance has that address. */
export function stateAt({ instances, states }: Machines, socket: string): ProcessState | undefined {
  const address = socket.slice(0, socket.lastIndexOf(':'));
  const [instanceId] = [...instances].find(([, instance]) => instance.address === address) ?? [];
  return instanceId === undefined ? undefined : states.get(instanceId);
}
