import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { createEtcdDoor, type EtcdDoor } from './door.ts';
import type { Exit, Resolve } from './flags.ts';
import type { EtcdCertificates } from './gateway/certificates.ts';
import { createLifecycle } from './lifecycle.ts';
import { type EtcdInstance, type Machines, processOn, runningOn } from './machines.ts';
import type { ProcessState } from './process.ts';
import type { MemberRecord } from './quorum.ts';
import { contentOf } from './restore.ts';

export interface EtcdWorldOptions {
  readonly clock: SimulationClock;
  readonly random: Random;
  /** The zone as name servers answer it at this moment. */
  readonly resolve: Resolve;
  /** What a new member needs to take in the whole log. Default: 0.5. */
  readonly catchUpSeconds?: number;
  /** Default: clients need no certificate. */
  readonly certificates?: EtcdCertificates;
}

/** What can be seen of one instance's etcd. A member `serves` once its cluster has a leader and knows its name. */
export type EtcdView =
  | { readonly kind: 'starting' | 'stopped' }
  | {
      readonly kind: 'running';
      readonly clusterId: string;
      readonly memberId: string;
      readonly serves: boolean;
    }
  | { readonly kind: 'exited'; readonly exit: Exit };

/** An etcd that runs, with the list of members as its cluster has it; one that was removed is no longer in it. */
export interface RunningMember {
  readonly instanceId: string;
  readonly clusterId: string;
  readonly memberId: string;
  readonly serves: boolean;
  readonly leads: boolean;
  readonly members: readonly MemberRecord[];
}

/**
 * Members of etcd on instances: they discover, elect, add, refuse and remove each other as real ones do, on the simulation's
 * clock. There are no partitions: running members reach each other. Requests for keys name single keys, no ranges.
 */
export interface EtcdWorld {
  /** Puts an instance there and starts its etcd. */
  boot(instanceId: string, instance: EtcdInstance): void;
  /** Kills the process; its data stays. */
  kill(instanceId: string): void;
  /** Starts it again, with what its data directory holds. */
  start(instanceId: string): void;
  /** From now on until it starts again the etcd there answers as a learner, whatever the list says (etcd-io/etcd#18347). It still votes. */
  supposeLearner(instanceId: string): void;
  /** Empties the data directory of a process that has ended. */
  wipe(instanceId: string): void;
  /** The instance is terminated: its address does not answer, its data is lost. */
  vanish(instanceId: string): void;
  /**
   * Puts an instance there whose data directory holds the keys of a snapshot, as a new cluster of only this member
   * (`etcdutl snapshot restore`), and starts its etcd. Throws if the snapshot is incomplete.
   */
  restore(instanceId: string, instance: EtcdInstance, snapshot: Uint8Array): void;
  view(instanceId: string): EtcdView | undefined;
  /** Every etcd that runs. */
  running(): readonly RunningMember[];
  readonly door: EtcdDoor;
}

export function createEtcdWorld(options: EtcdWorldOptions): EtcdWorld {
  const { catchUpSeconds = 0.5, clock } = options;
  const machines: Machines = {
    instances: new Map(),
    states: new Map(),
    directories: new Map(),
    clock,
    supposedLearners: new WeakSet(),
  };
  const { instances, states, directories } = machines;
  const lifecycle = createLifecycle({ ...options, catchUpSeconds, machines });
  const wipe = (instanceId: string): void => {
    const instance = instances.get(instanceId);
    if (instance !== undefined) directories.delete(instance.dataDirectory);
  };
  const isSupposed = (instanceId: string): boolean => {
    const process = processOn(machines, instanceId);
    return process !== undefined && machines.supposedLearners.has(process);
  };
  return {
    boot: (instanceId, instance) => {
      instances.set(instanceId, instance);
      lifecycle.start(instanceId);
    },
    kill: (instanceId) => lifecycle.end(instanceId, { kind: 'stopped' }),
    start: (instanceId) => lifecycle.start(instanceId),
    supposeLearner: (instanceId) => {
      const process = processOn(machines, instanceId);
      if (process !== undefined) machines.supposedLearners.add(process);
    },
    wipe,
    vanish: (instanceId) => {
      lifecycle.end(instanceId, { kind: 'stopped' });
      wipe(instanceId);
      states.delete(instanceId);
      instances.delete(instanceId);
    },
    restore: (instanceId, instance, snapshot) => {
      const content = contentOf(snapshot);
      instances.set(instanceId, instance);
      lifecycle.restore(instanceId, content);
      lifecycle.start(instanceId);
    },
    view: (instanceId) => {
      const view = viewOf(states.get(instanceId));
      return view?.kind === 'running' && isSupposed(instanceId) ? { ...view, serves: false } : view;
    },
    running: () =>
      runningOn(machines).map(([instanceId, { quorum, memberId }]) => {
        const state = states.get(instanceId);
        const serves = state?.kind === 'running' && state.serves && !isSupposed(instanceId);
        const leads = quorum.leader() === memberId;
        return { instanceId, clusterId: quorum.id, memberId, serves, leads, members: quorum.members() };
      }),
    door: createEtcdDoor({ ...options, machines }),
  };
}

function viewOf(state: ProcessState | undefined): EtcdView | undefined {
  if (state?.kind !== 'running') return state;
  const { process, serves } = state;
  return { kind: 'running', clusterId: process.quorum.id, memberId: process.memberId, serves };
}
