import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { budgetsHolding } from '../draining/budgets.ts';
import { disruptionRequestOf } from '../draining/disruption-annotations.ts';
import { identityOf } from '../draining/pod-facts.ts';
import { isRestarted } from '../draining/rollout-restart.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { blockersOf, isMoved, type MoveContext, nameOfPod } from './blockers.ts';
import type { NodeOfMember } from './step.ts';

/**
 * What holds a pod on its node now: a budget that allows no eviction, or an annotation until its time is over; undefined if nothing does.
 * A budget does not hold a pod that a rollout replaces before its eviction. Pure.
 *
 * @param pods all pods of the cluster
 */
export function holderOf(
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
  {
    now,
    annotationsEndAt,
    pods,
  }: { readonly now: number; readonly annotationsEndAt: number; readonly pods: readonly Pod[] },
): string | undefined {
  const [budget] = isRestarted(pod, pods) ? [] : budgetsHolding(pod, budgets);
  if (budget !== undefined) return `budget ${budget} holds ${nameOfPod(pod)}`;
  const request = now < annotationsEndAt ? disruptionRequestOf(pod, now) : undefined;
  if (request === undefined) return undefined;
  const until = Math.min(request.until ?? Infinity, annotationsEndAt);
  return `held by annotation of ${nameOfPod(pod)} until ${new Date(until).toISOString()}`;
}

/** A pass looks at so many nodes, so that one with many of them that are held ends in its time. */
const mostLookedAt = 30;

/**
 * The first of these nodes whose pods nothing holds, or what holds them. The pods of a node that is not Ready serve nothing, so nothing is
 * asked about them. The best candidates come first; of the others, some in turn, so that each is visited again.
 */
export async function firstFree(
  candidates: readonly NodeOfMember[],
  asked: {
    readonly pods: readonly Pod[];
    readonly listBudgets: (namespace: string) => Promise<readonly PodDisruptionBudget[]>;
    readonly now: number;
    readonly annotationsEndAt: number;
    /** Nodes with pods that cannot move come last. */
    readonly blockedLast?: Pick<MoveContext, 'tags' | 'annotationTimeoutSeconds'>;
  },
): Promise<{ readonly free?: NodeOfMember; readonly held: readonly string[] }> {
  const { pods, listBudgets, now, annotationsEndAt, blockedLast } = asked;
  const byNode = Map.groupBy(pods.filter(isMoved), ({ spec }) => spec?.nodeName ?? '');
  const known = new Map<string, Promise<readonly PodDisruptionBudget[]>>();
  const budgetsOf = (pod: Pod) => {
    const { namespace } = identityOf(pod);
    const budgets = known.get(namespace) ?? listBudgets(namespace);
    known.set(namespace, budgets);
    return budgets;
  };
  const podsOn = ({ node }: NodeOfMember) => byNode.get(nameOfNode(node)) ?? [];
  const isBlocked = async (candidate: NodeOfMember): Promise<boolean> => {
    if (blockedLast === undefined) return false;
    for (const pod of podsOn(candidate))
      if (blockersOf(pod, { now, pods, ...blockedLast, budgets: await budgetsOf(pod) }).length > 0)
        return true;
    return false;
  };
  const blocked: NodeOfMember[] = [];
  const open: NodeOfMember[] = [];
  for (const candidate of candidates) ((await isBlocked(candidate)) ? blocked : open).push(candidate);
  const held: string[] = [];
  for (const candidate of inTurn([...open, ...blocked], now)) {
    if (!isNodeReady(candidate.node)) return { free: candidate, held };
    let holder: string | undefined;
    for (const pod of podsOn(candidate))
      holder ??= holderOf(pod, await budgetsOf(pod), { now, annotationsEndAt, pods });
    if (holder === undefined) return { free: candidate, held };
    held.push(`${nameOfNode(candidate.node)}: ${holder}`);
  }
  return { held };
}

function inTurn(candidates: readonly NodeOfMember[], now: number): readonly NodeOfMember[] {
  if (candidates.length <= mostLookedAt) return candidates;
  const half = mostLookedAt / 2;
  const rest = candidates.slice(half);
  const start = (Math.floor(now / 60_000) * half) % rest.length;
  return [...candidates.slice(0, half), ...rest.slice(start), ...rest.slice(0, start)].slice(0, mostLookedAt);
}
