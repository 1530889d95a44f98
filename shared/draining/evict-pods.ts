import { allSettledOrThrow } from '../base/all-settled-or-throw.ts';
import type { DrainCluster, EvictionAnswer } from '../nodes/cluster.ts';
import type { DrainAction } from './drain-plan.ts';
import type { OneAtATime } from './one-at-a-time.ts';

/**
 * The result of one action. `no-answer`: it may have been done. `postponed`: not sent, because the API server had asked for a pause or
 * did not answer.
 */
export type ActionAnswer =
  | EvictionAnswer
  | { readonly kind: 'deleted' }
  | { readonly kind: 'no-answer'; readonly message: string }
  | { readonly kind: 'postponed'; readonly message: string };

/** Pods of one workload are evicted one after another: parallel evictions under one budget only conflict. */
const parallelWorkloads = 5;

export interface EvictOptions {
  /** Called with every answer as it arrives. */
  readonly onAnswer?: (action: DrainAction, answer: ActionAnswer) => void;
  /** Shared by nodes that drain at the same time, since they run pods of the same workloads. Absent: only this node drains. */
  readonly oneAtATime?: OneAtATime;
  /** What a call that failed counts as; undefined: the failure ends it all. Absent: each failure does. */
  readonly answerOf?: (error: unknown) => ActionAnswer | undefined;
}

/**
 * Carries out a plan's evictions and deletions. When a budget holds a pod, the other pods of its workload are not asked for.
 * When the API server throttles, no more evictions are sent. Deletions are sent first, because their deadline has come.
 *
 * @returns the answers by UID.
 * @throws KubernetesError when the API server does not answer; what was done until then stands.
 */
export async function evictPods(
  actions: readonly DrainAction[],
  cluster: Pick<DrainCluster, 'evictPod' | 'deletePod'>,
  { onAnswer, oneAtATime = runAtOnce, answerOf }: EvictOptions = {},
): Promise<ReadonlyMap<string, ActionAnswer>> {
  const answers = new Map<string, ActionAnswer>();
  const deletionsFirst = actions.toSorted((one, other) => one.kind.localeCompare(other.kind));
  const workloads = [...Map.groupBy(deletionsFirst, ({ workload }) => workload).values()];
  let throttled: ActionAnswer | undefined;
  let unanswered: ActionAnswer | undefined;
  const evictWorkload = async (workload: readonly DrainAction[]): Promise<void> => {
    let held: ActionAnswer | undefined;
    for (const action of workload) {
      const known = unanswered ?? (action.kind === 'evict' ? (held ?? throttled) : undefined);
      const answer =
        known ?? (await oneAtATime(action.workload, () => attempt(action, { cluster, answerOf })));
      if (answer.kind === 'held') held = answer;
      if (answer.kind === 'throttled') throttled ??= { kind: 'postponed', message: answer.message };
      if (answer.kind === 'no-answer') unanswered ??= { kind: 'postponed', message: answer.message };
      answers.set(action.pod.uid, answer);
      onAnswer?.(action, answer);
    }
  };
  const work = async (): Promise<void> => {
    for (let next = workloads.shift(); next; next = workloads.shift()) await evictWorkload(next);
  };
  await allSettledOrThrow(Array.from({ length: parallelWorkloads }, work));
  return answers;
}

const runAtOnce: OneAtATime = (_, task) => task();

async function attempt(
  action: DrainAction,
  {
    cluster,
    answerOf,
  }: Pick<EvictOptions, 'answerOf'> & { readonly cluster: Pick<DrainCluster, 'evictPod' | 'deletePod'> },
): Promise<ActionAnswer> {
  try {
    return await send(action, cluster);
  } catch (error) {
    const answer = answerOf?.(error);
    if (!answer) throw error;
    return answer;
  }
}

async function send(
  { kind, pod, gracePeriodSeconds }: DrainAction,
  cluster: Pick<DrainCluster, 'evictPod' | 'deletePod'>,
): Promise<ActionAnswer> {
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  return kind === 'evict'
    ? await cluster.evictPod(pod, grace)
    : { kind: await cluster.deletePod(pod, grace) };
}
