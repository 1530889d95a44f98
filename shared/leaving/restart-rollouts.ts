import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { hasNoAnswer, isAboutAnotherObject, isDenied, isThrottled } from '../draining/cluster-failure.ts';
import { minuteOf } from '../draining/disruption-annotations.ts';
import { deletesAt, type PodHold } from '../draining/plan-drain.ts';
import { controllerOf, identityOf, isFinished, terminatesAt } from '../draining/pod-facts.ts';
import {
  asksForRestart,
  judgeRollout,
  type RolloutVerdict,
  restartPatch,
  rolloutSeconds,
} from '../draining/rollout-restart.ts';
import { isKubeletSilent } from '../nodes/node-condition.ts';
import type { LeavingContext, Marked, Planned } from './context.ts';
import type { EvictionHolds } from './eviction-holds.ts';
import { recordEvent } from './notify.ts';

interface Asked {
  /** All pods of the node. */
  readonly pods: readonly Pod[];
  /** The pods that ask to finish, by UID: a rollout would end them. */
  readonly finishing: ReadonlyMap<string, PodHold>;
}

type State = Planned & Marked;

/**
 * Restarts the rollouts of the Deployments that ask for it, each once in a leave, and holds the eviction of their pods until the rollout has
 * replaced them. The last minute before a pod is deleted is left to its eviction. A node that takes new pods would get the next one too, so
 * there is nothing to restart before the cordon.
 */
export async function restartRollouts(
  context: LeavingContext,
  state: State,
  { pods, finishing }: Asked,
): Promise<EvictionHolds> {
  const none = { holds: new Map<string, PodHold>(), notes: [], restarted: [] };
  const { node, plan } = state;
  if (node.spec?.unschedulable !== true || isKubeletSilent(node)) return none;
  const now = context.clock.now();
  const asking = pods.filter(
    (pod) =>
      asksForRestart(pod) &&
      !cameAfter(pod, plan.since) &&
      now >= (finishing.get(identityOf(pod).uid)?.until ?? 0),
  );
  const found = await Promise.all(
    [...Map.groupBy(asking, (pod) => controllerOf(pod)?.uid).values()].map((group) =>
      restartOne(context, state, { group, pods, finishing }),
    ),
  );
  return {
    holds: new Map(found.flatMap(({ holds }) => [...holds])),
    notes: found.flatMap(({ notes }) => notes),
    restarted: found.flatMap(({ restarted }) => restarted),
  };
}

/** Such a pod tolerates the cordon: its Deployment would bring the next one here as well. */
const cameAfter = ({ metadata }: Pod, since: number): boolean =>
  Date.parse(metadata?.creationTimestamp ?? '') > since;

interface Group extends Asked {
  /** The pods of one ReplicaSet that ask for it. */
  readonly group: readonly Pod[];
}

async function restartOne(context: LeavingContext, state: State, asked: Group): Promise<EvictionHolds> {
  const [pod] = asked.group;
  const { namespace = '', name = '' } = pod ? identityOf(pod) : {};
  const without = (why: string): EvictionHolds => ({
    holds: new Map(),
    notes: [`${namespace}/${name} is evicted without a rollout of its Deployment: ${why}`],
    restarted: [],
  });
  try {
    const deployment = pod && (await deploymentOf(context, pod));
    if (!deployment) return without('its ReplicaSet has none');
    const { until, holds } = holdsFor(state, asked, deployment);
    if (context.clock.now() >= until) return without('it has not replaced the pod in time');
    const verdict = verdictOf(deployment, state, asked);
    if (verdict.kind === 'evict') return without(verdict.why);
    if (verdict.kind === 'wait') return { holds, notes: [], restarted: [] };
    const isRestarted = await restart(context, state, deployment);
    return { holds, notes: [], restarted: isRestarted ? [deployment.metadata?.uid ?? ''] : [] };
  } catch (error) {
    if (isDenied(error)) return without(messageOf(error));
    if (!hasNoAnswer(error) && !isThrottled(error)) throw error;
    context.reportError(`the rollout of pod ${namespace}/${name} could not be read or restarted`, error);
    return { holds: holdsFor(state, asked).holds, notes: [], restarted: [] };
  }
}

/** The Deployment of a pod, through its ReplicaSet, each with the UID that its owner's reference names. Undefined if it has none. */
async function deploymentOf({ cluster }: LeavingContext, pod: Pod): Promise<Deployment | undefined> {
  const { namespace } = identityOf(pod);
  const ofPod = controllerOf(pod);
  const replicaSet = ofPod && (await cluster.getReplicaSet(namespace, ofPod.name));
  if (replicaSet?.metadata?.uid !== ofPod?.uid) return undefined;
  const ofSet = replicaSet && controllerOf(replicaSet);
  if (ofSet?.kind !== 'Deployment') return undefined;
  const deployment = await cluster.getDeployment(namespace, ofSet.name);
  return deployment?.metadata?.uid === ofSet.uid ? deployment : undefined;
}

function verdictOf(deployment: Deployment, { mark }: State, { group, pods }: Group): RolloutVerdict {
  const replicaSet = controllerOf(group[0] ?? {})?.uid;
  const isHere = (pod: Pod): boolean =>
    controllerOf(pod)?.uid === replicaSet && !isFinished(pod) && terminatesAt(pod) === undefined;
  const verdict = judgeRollout(deployment, pods.filter(isHere).length);
  const isRepeated = mark.restarted?.includes(deployment.metadata?.uid ?? '') === true;
  return verdict.kind === 'restart' && isRepeated
    ? { kind: 'evict', why: 'its rollout was restarted, and something has undone that' }
    : verdict;
}

const lastMinuteMilliseconds = 60_000;

/** Until when each of these pods waits for the rollout. Without the Deployment, the time is the default of Deployments. */
function holdsFor(
  { plan: { since, deadlines } }: State,
  { group, finishing }: Group,
  deployment: Deployment = {},
): { readonly until: number; readonly holds: EvictionHolds['holds'] } {
  const { namespace, name } = deployment.metadata ?? {};
  const holds = group.map((pod) => {
    const { uid } = identityOf(pod);
    const finished = finishing.get(uid);
    const deadline = finished?.deadline ?? deadlines.deadline;
    const begins = Math.max(since, finished?.until ?? 0);
    const until = Math.min(
      begins + rolloutSeconds(deployment) * 1000,
      deletesAt(pod, { now: 0, deadline }) - lastMinuteMilliseconds,
    );
    const rollout = name === undefined ? 'its rollout' : `the rollout of ${namespace}/${name}`;
    const why = `waits for ${rollout} until ${minuteOf(until)}`;
    return [uid, { until, deadline, why, byRollout: true }] as const;
  });
  return { until: Math.max(...holds.map(([, { until }]) => until)), holds: new Map(holds) };
}

/** False if the Deployment has changed since it was read: the next pass reads it again. */
async function restart(context: LeavingContext, { node }: State, deployment: Deployment): Promise<boolean> {
  const { namespace = '', name = '' } = deployment.metadata ?? {};
  try {
    await context.cluster.patchDeployment(namespace, name, restartPatch(deployment, context.clock.now()));
  } catch (error) {
    if (isAboutAnotherObject(error)) return false;
    throw error;
  }
  recordEvent(context, node, {
    type: 'Normal',
    reason: 'RolloutRestarted',
    message: `the rollout of ${namespace}/${name} is restarted, so that its pod is replaced before it ends`,
  });
  return true;
}
