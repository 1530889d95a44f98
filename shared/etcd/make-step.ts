import { canVote, type EtcdCluster, type EtcdEndpoint, EtcdError } from './cluster.ts';
import type { EtcdContext } from './context.ts';
import type { EtcdStep } from './decision.ts';
import { type EtcdObservation, endpointOf } from './observe.ts';
import { listOf, statusesOf } from './statuses.ts';

export interface StepResult {
  /** `waits`: not possible yet, which is normal for some minutes; `refused`: an operator should see it. */
  readonly kind: 'made' | 'waits' | 'refused';
  readonly reason: string;
}

/** Makes one change of the membership. A refusal of etcd is a result, not an error: the next pass decides again. */
export async function makeStep(
  context: EtcdContext,
  observation: EtcdObservation,
  step: EtcdStep,
): Promise<StepResult> {
  const { cluster } = context;
  if (!cluster) throw new TypeError('a step was decided, but this deployment cannot reach etcd');
  try {
    return await change({ context, cluster, observation, step });
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    const isTemporary =
      error.code === 'not-in-sync' || error.code === 'peer-exists' || error.code === 'not-found';
    return {
      kind: isTemporary ? 'waits' : 'refused',
      reason: `${isTemporary ? 'not yet' : 'etcd refuses'} to ${verbs[step.kind].verb} ${nameOf(step)}: ${error.message}`,
    };
  }
}

interface Change {
  readonly context: EtcdContext;
  readonly cluster: EtcdCluster;
  readonly observation: EtcdObservation;
  readonly step: EtcdStep;
}

async function change({ context, cluster, observation, step }: Change): Promise<StepResult> {
  const endpoints = votersOf(context, observation, step.instanceId);
  const made: StepResult = { kind: 'made', reason: done(step) };
  switch (step.kind) {
    case 'add':
      await (knowsLearners(observation)
        ? cluster.addLearner(endpoints, [step.peerUrl])
        : cluster.addVoter(endpoints, [step.peerUrl]));
      return made;
    case 'promote':
      await cluster.promote(endpoints, step.memberId);
      return made;
    case 'remove': {
      const clusterId = listOf(observation.cluster)?.clusterId;
      const reason = clusterId && (await context.staleSnapshotReason?.(clusterId));
      if (reason) return { kind: 'waits', reason: `${nameOf(step)} is not removed yet: ${reason}` };
      if (hasNoInstance(observation, step)) await context.states.forget(step.instanceId);
      await cluster.remove(endpoints, step.member.id);
      return { ...made, reason: `${done(step)}: ${step.why}` };
    }
  }
}

/** The state of a leaving instance is deleted when its hook is completed. An instance that is gone has no hook. */
const hasNoInstance = ({ instances }: EtcdObservation, { instanceId }: EtcdStep): boolean =>
  instanceId !== '' && !instances.some((one) => one.instanceId === instanceId && !one.gone);

/** The endpoints of healthy voters of the cluster. The affected member comes last: it may be about to exit. */
function votersOf(
  context: EtcdContext,
  { cluster, instances }: EtcdObservation,
  last: string,
): readonly EtcdEndpoint[] {
  return instances
    .filter(({ instanceId }) => {
      const status = statusesOf(cluster).get(instanceId);
      return canVote(status) && status.clusterId === listOf(cluster)?.clusterId;
    })
    .toSorted((one, other) => Number(one.instanceId === last) - Number(other.instanceId === last))
    .flatMap((instance) => endpointOf(instance, context) ?? []);
}

/** etcd has learners since 3.4; every member of the cluster must support them. */
function knowsLearners({ cluster }: EtcdObservation): boolean {
  if (cluster.kind !== 'asked') return false;
  return [...cluster.statuses.values()].every((status) => {
    if (status.kind !== 'answers' || status.clusterId !== cluster.list?.clusterId) return true;
    const [major = 0, minor = 0] = status.version.split('.').map(Number);
    return major > 3 || (major === 3 && minor >= 4);
  });
}

const verbs = {
  add: { verb: 'add', done: 'added' },
  promote: { verb: 'promote', done: 'promoted' },
  remove: { verb: 'remove', done: 'removed' },
} as const;

const nameOf = ({ instanceId }: EtcdStep): string => instanceId || 'a member';
const done = (step: EtcdStep): string => `${verbs[step.kind].done} ${nameOf(step)}`;
