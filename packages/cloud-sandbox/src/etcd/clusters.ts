import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import type { Belonging } from './bootstrap.ts';
import { type Machines, processOf } from './machines.ts';
import { createQuorum, type Quorum, type QuorumContent } from './quorum.ts';

export interface ClustersOptions {
  readonly machines: Machines;
  readonly clock: SimulationClock;
  readonly random: Random;
  /** A leader was elected, or the members have changed. */
  readonly onChange: (quorum: Quorum) => void;
}

/** The clusters by their ids. Members that agree on the founders found the same cluster. */
export interface Clusters {
  of(belonging: Belonging, token: string): Quorum;
  /** One that begins with what a snapshot holds, whatever there was under its id. */
  restore(belonging: Belonging, token: string, content: QuorumContent): Quorum;
}

export function createClusters({ machines, clock, random, onChange }: ClustersOptions): Clusters {
  const quorums = new Map<string, Quorum>();
  const create = (
    { clusterId, founders = [] }: Belonging,
    token: string,
    content?: QuorumContent,
  ): Quorum => {
    const quorum: Quorum = createQuorum({
      id: clusterId,
      token,
      members: founders,
      ...(content && { content }),
      clock,
      random,
      isRunning: (memberId) => processOf(machines, quorum, memberId) !== undefined,
      onChange: () => onChange(quorum),
    });
    quorums.set(clusterId, quorum);
    return quorum;
  };
  return {
    of: (belonging, token) => {
      const { clusterId } = belonging;
      const isLost = [...machines.directories.values()].every((data) => data.clusterId !== clusterId);
      // The same founders make the same id, even if nothing is left of their data.
      return (isLost ? undefined : quorums.get(clusterId)) ?? create(belonging, token);
    },
    restore: create,
  };
}
