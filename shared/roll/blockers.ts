import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { durationText } from '../base/duration.ts';
import { budgetsHolding, budgetsOf } from '../draining/budgets.ts';
import { disruptionRequestOf } from '../draining/disruption-annotations.ts';
import {
  controllerOf,
  identityOf,
  isDaemonSetPod,
  isFinished,
  isMirrorPod,
  isReady,
  terminatesAt,
  usesEmptyDir,
} from '../draining/pod-facts.ts';
import { isRestarted } from '../draining/rollout-restart.ts';
import { leavingTags } from '../groups/group-settings.ts';

/** What the movement of a pod depends on. */
export interface MoveContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The tags of the group of its node. */
  readonly tags: Readonly<Record<string, string>>;
  /** All pods of the cluster, for those that keep a budget from allowing anything. */
  readonly pods: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly annotationTimeoutSeconds: number;
}

/** A pod as messages name it: `namespace/name`. */
export const nameOfPod = (pod: Pod): string => {
  const { namespace, name } = identityOf(pod);
  return `${namespace}/${name}`;
};

/** Whether a drain moves the pod: it has not finished, does not terminate already, and does not come with each node. */
export const isMoved = (pod: Pod): boolean =>
  !isFinished(pod) && terminatesAt(pod) === undefined && !isMirrorPod(pod) && !isDaemonSetPod(pod);

/**
 * Why a pod of a node would not move to another node by itself, for an operator who decides before a roll begins; empty if it would. The first
 * reason is the one that needs most work. A budget is none for a pod that a rollout replaces before its eviction. Pure.
 */
export const blockersOf = (pod: Pod, context: MoveContext): readonly string[] =>
  [
    isRestarted(pod, context.pods) ? undefined : budgetBlocker(pod, context),
    controllerBlocker(pod, context),
    localDataBlocker(pod, context),
    annotationBlocker(pod, context),
  ].flatMap((why) => why ?? []);

/** Why a budget lets no eviction of a pod happen; undefined if it does. Pure. */
export function budgetBlocker(
  pod: Pod,
  { budgets, pods }: Pick<MoveContext, 'budgets' | 'pods'>,
): string | undefined {
  const holding = budgetsHolding(pod, budgets);
  const [name, ...others] = holding;
  if (name === undefined) return undefined;
  const { namespace } = identityOf(pod);
  if (others.length > 0)
    return `several budgets select it (${holding.join(', ')}), and the API server refuses every eviction then: leave one`;
  const budget = budgetsOf(pod, budgets).find(({ metadata }) => metadata?.name === name);
  const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = budget?.status ?? {};
  if (budget === undefined || expectedPods === 0)
    return `the API server has not counted the pods of budget ${namespace}/${name} yet`;
  if (expectedPods <= desiredHealthy)
    return `budget ${namespace}/${name} allows no eviction even if all its pods (${expectedPods}) are Ready: let it allow one`;
  const notReady = pods.filter(
    (other) => !isReady(other) && isMoved(other) && budgetsOf(other, [budget]).length > 0,
  );
  return `budget ${namespace}/${name} allows no eviction now: ${currentHealthy} of ${expectedPods} pods are Ready, and it keeps ${desiredHealthy}${notReady.length === 0 ? '' : `; not Ready: ${listed(notReady.map(nameOfPod))}`}`;
}

/** Names, the first three of many. */
function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const setting = (tags: MoveContext['tags'], key: string) => leavingTags[key]?.read(tags[key] ?? '');

/** The default of deployments lets it be lost. Only the tag of the group shows a decision. */
function controllerBlocker(pod: Pod, { tags }: MoveContext): string | undefined {
  if (controllerOf(pod) !== undefined || setting(tags, 'drover.dev/force')?.force === true) return undefined;
  return 'no controller recreates it: delete it, or let it be lost with the tag drover.dev/force=true of the group';
}

function localDataBlocker(pod: Pod, { tags }: MoveContext): string | undefined {
  const keeps = setting(tags, 'drover.dev/delete-emptydir-data')?.deleteEmptyDirData === false;
  return keeps && usesEmptyDir(pod)
    ? 'it has emptyDir data, which the tag drover.dev/delete-emptydir-data=false of the group keeps'
    : undefined;
}

function annotationBlocker(pod: Pod, { now, annotationTimeoutSeconds }: MoveContext): string | undefined {
  const request = disruptionRequestOf(pod, now);
  if (request === undefined) return undefined;
  const { annotation, until = Infinity } = request;
  const ends = Math.min(until, now + annotationTimeoutSeconds * 1000);
  return `annotation ${annotation} keeps it ${ends === until ? `until ${new Date(until).toISOString()}` : `for up to ${durationText(annotationTimeoutSeconds)}`}`;
}

/** What is lost although the pod moves; undefined if nothing is. Pure. */
export function lossOf(pod: Pod, { tags }: Pick<MoveContext, 'tags'>): 'pod' | 'local data' | undefined {
  if (controllerOf(pod) === undefined)
    return setting(tags, 'drover.dev/force')?.force === true ? 'pod' : undefined;
  return usesEmptyDir(pod) ? 'local data' : undefined;
}
