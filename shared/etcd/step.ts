import { canVote, type EtcdCluster, type EtcdEndpoint, EtcdError } from './cluster.ts';
import type { EtcdStep } from './decision.ts';
import { endpointOf } from './look.ts';
import type { EtcdSight } from './sight.ts';
import type { EtcdWorld } from './world.ts';

export interface StepResult {
  /** `waits`: not yet, and nothing is wrong; `refused`: an operator should see it. */
  readonly kind: 'made' | 'waits' | 'refused';
  readonly reason: string;
}

/** Makes one change of the membership. What etcd itself refuses is an answer: the next pass looks again. */
export async function makeStep(world: EtcdWorld, sight: EtcdSight, step: EtcdStep): Promise<StepResult> {
  const { cluster } = world;
  if (!cluster) throw new TypeError('a step was decided where etcd is not reached');
  try {
    return await change({ world, cluster, sight, step });
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    const isPatience =
      error.code === 'not-in-sync' || error.code === 'peer-exists' || error.code === 'not-found';
    return {
      kind: isPatience ? 'waits' : 'refused',
      reason: `${isPatience ? 'not yet' : 'etcd refuses'} to ${words[step.kind].verb} ${nameOf(step)}: ${error.message}`,
    };
  }
}

interface Change {
  readonly world: EtcdWorld;
  readonly cluster: EtcdCluster;
  readonly sight: EtcdSight;
  readonly step: EtcdStep;
}

async function change({ world, cluster, sight, step }: Change): Promise<StepResult> {
  const endpoints = votersOf(world, sight, step.instanceId);
  const made: StepResult = { kind: 'made', reason: done(step) };
  switch (step.kind) {
    case 'add':
      await (knowsLearners(sight)
        ? cluster.addLearner(endpoints, [step.peerUrl])
        : cluster.addVoter(endpoints, [step.peerUrl]));
      return made;
    case 'promote':
      await cluster.promote(endpoints, step.memberId);
      return made;
    case 'remove': {
      const { cluster: asked } = sight;
      const clusterId = asked.kind === 'asked' ? asked.list?.clusterId : undefined;
      const reason = clusterId && (await world.reasonForSnapshot?.(clusterId));
      if (reason) return { kind: 'waits', reason: `${nameOf(step)} is kept: ${reason}` };
      await cluster.remove(endpoints, step.member.id);
      return { ...made, reason: `${done(step)}: ${step.why}` };
    }
  }
}

/** Healthy voters, the one that the step is about last: it may be about to exit. */
function votersOf(
  world: EtcdWorld,
  { cluster, instances }: EtcdSight,
  last: string,
): readonly EtcdEndpoint[] {
  if (cluster.kind !== 'asked') return [];
  return instances
    .filter(({ instanceId }) => canVote(cluster.statuses.get(instanceId)))
    .toSorted((one, other) => Number(one.instanceId === last) - Number(other.instanceId === last))
    .flatMap((instance) => endpointOf(instance, world) ?? []);
}

/** Learners came with etcd 3.4; a cluster has them when its oldest member does. */
function knowsLearners({ cluster }: EtcdSight): boolean {
  if (cluster.kind !== 'asked') return false;
  return [...cluster.statuses.values()].every((status) => {
    if (status.kind !== 'answers') return true;
    const [major = 0, minor = 0] = status.version.split('.').map(Number);
    return major > 3 || (major === 3 && minor >= 4);
  });
}

const words = {
  add: { verb: 'add', done: 'added' },
  promote: { verb: 'promote', done: 'promoted' },
  remove: { verb: 'remove', done: 'removed' },
} as const;

const nameOf = ({ instanceId }: EtcdStep): string => instanceId || 'a member';
const done = (step: EtcdStep): string => `${words[step.kind].done} ${nameOf(step)}`;
