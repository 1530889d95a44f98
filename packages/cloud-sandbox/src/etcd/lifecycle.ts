import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { type Belonging, bootstrap, foundedBy, tokenOf } from './bootstrap.ts';
import { createClusters } from './clusters.ts';
import { type EtcdFlags, type Exit, isExit, type Resolve } from './flags.ts';
import { keepData, type Machines, processOn, remoteAt, runningOn } from './machines.ts';
import type { EtcdProcess, ProcessState } from './process.ts';
import type { Quorum, QuorumContent } from './quorum.ts';

export interface LifecycleOptions {
  readonly machines: Machines;
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly resolve: Resolve;
  readonly catchUpSeconds: number;
}

/** How the process on an instance begins and ends. */
export interface Lifecycle {
  start(instanceId: string): void;
  end(instanceId: string, next: ProcessState): void;
  /** Makes the data directory of a cluster of this one member. */
  restore(instanceId: string, content: QuorumContent): void;
}

const startMilliseconds = 100;
/** A removed member hears of it, and ends itself. */
const farewellMilliseconds = 1000;

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { machines, clock } = options;
  const clusters = createClusters({ ...options, onChange: settle });

  /** Members that may publish their name do so, and removed ones prepare to end. */
  function settle(quorum: Quorum): void {
    for (const [instanceId, process] of runningOn(machines)) {
      if (process.quorum !== quorum) continue;
      if (quorum.isRemoved(process.memberId)) sayFarewell(instanceId, process);
      else publish(options, instanceId, process);
    }
  }

  function sayFarewell(instanceId: string, process: EtcdProcess): void {
    const message = 'the member has been permanently removed from the cluster';
    clock.after(farewellMilliseconds, () => {
      const state = machines.states.get(instanceId);
      if (state?.kind !== 'running' || state.process !== process) return;
      end(instanceId, { kind: 'exited', exit: { code: state.serves ? 0 : 1, message } });
    });
  }

  function end(instanceId: string, next: ProcessState): void {
    const process = processOn(machines, instanceId);
    if (process !== undefined) keepData(machines, instanceId, process);
    machines.states.set(instanceId, next);
    process?.quorum.review();
    const { restartSeconds } = machines.instances.get(instanceId) ?? {};
    if (next.kind !== 'exited' || restartSeconds === undefined) return;
    clock.after(restartSeconds * 1000, () => {
      if (machines.states.get(instanceId) === next) start(instanceId);
    });
  }

  function start(instanceId: string): void {
    if (!machines.instances.has(instanceId) || processOn(machines, instanceId) !== undefined) return;
    const starting: ProcessState = { kind: 'starting' };
    machines.states.set(instanceId, starting);
    clock.after(startMilliseconds, () => {
      if (machines.states.get(instanceId) === starting) run(instanceId);
    });
  }

  function run(instanceId: string): void {
    const flags = flagsOf(machines, instanceId);
    const surroundings = { ...options, remoteAt: (socket: string) => remoteAt(machines, socket) };
    const kept = dataOf(machines, instanceId);
    const belonging = kept ?? bootstrap(flags, surroundings);
    if (isExit(belonging)) return end(instanceId, { kind: 'exited', exit: belonging });
    const quorum = clusters.of(belonging, tokenOf(flags));
    const exit = kept === undefined ? lostLog(quorum, belonging) : undefined;
    if (exit !== undefined) return end(instanceId, { kind: 'exited', exit });
    const isNew = kept === undefined && belonging.founders === undefined;
    const catchUpMilliseconds = isNew ? options.catchUpSeconds * 1000 : 0;
    const startedAt = clock.now();
    const { memberId } = belonging;
    const process = { flags, memberId, quorum, startedAt, caughtUpAt: startedAt + catchUpMilliseconds };
    machines.states.set(instanceId, { kind: 'running', process, serves: false });
    if (kept === undefined) keepData(machines, instanceId, process);
    quorum.review();
    clock.after(catchUpMilliseconds, () => settle(quorum));
  }

  function restore(instanceId: string, content: QuorumContent): void {
    const flags = flagsOf(machines, instanceId);
    const belonging = foundedBy([flags], flags, tokenOf(flags));
    const quorum = clusters.restore(belonging, tokenOf(flags), content);
    const { dataDirectory = instanceId } = machines.instances.get(instanceId) ?? {};
    const { clusterId, memberId } = belonging;
    machines.directories.set(dataDirectory, { clusterId, memberId, match: quorum.index() });
  }

  return { start, end, restore };
}

function flagsOf({ instances }: Machines, instanceId: string): EtcdFlags & { readonly name: string } {
  const flags = instances.get(instanceId)?.flags();
  if (flags === undefined) throw new Error(`there is no instance ${instanceId}`);
  return { ...flags, name: flags.name ?? instanceId };
}

function dataOf({ instances, directories }: Machines, instanceId: string): Belonging | undefined {
  const { dataDirectory } = instances.get(instanceId) ?? {};
  return dataDirectory === undefined ? undefined : directories.get(dataDirectory);
}

/**
 * A leader that knows the progress of a member sends it the next entries. A member that lost its log treats that as corruption
 * and exits. A newer leader sends the whole log, and the loss stays unnoticed.
 */
function lostLog(quorum: Quorum, { memberId }: Belonging): Exit | undefined {
  if (!quorum.knows(memberId)) return undefined;
  const message = `tocommit(${quorum.index()}) is out of range [lastIndex(0)]. Was the raft log corrupted, truncated, or lost?`;
  return { code: 2, message };
}

/** Once it is in step with a leader, a member publishes its name and its client URL, and serves. */
function publish({ machines, clock }: LifecycleOptions, instanceId: string, process: EtcdProcess): void {
  const state = machines.states.get(instanceId);
  const { quorum, memberId, flags, caughtUpAt } = process;
  if (state?.kind !== 'running' || state.serves) return;
  if (quorum.leader() === undefined || clock.now() < caughtUpAt) return;
  const record = quorum.members().find(({ id }) => id === memberId);
  if (record === undefined) return;
  machines.states.set(instanceId, { ...state, serves: true });
  quorum.follow(memberId);
  quorum.change({ kind: 'put', member: { ...record, name: flags.name, clientUrls: [flags.clientUrl] } });
}
