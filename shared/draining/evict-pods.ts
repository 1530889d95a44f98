import { allSettledOrThrow } from '../base/all-settled-or-throw.ts';
import type { DrainCluster, EvictionAnswer } from '../nodes/cluster.ts';
import type { DrainAction } from './plan-drain.ts';

/**
 * The result of one action. After `no-answer` it may have been done. `postponed` means that it was not sent, because the API server had
 * throttled an earlier call or had not responded to it.
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
  /** Shared by nodes that drain at the same time, because they run pods of the same workloads. Defaults to no coordination. */
  readonly oneAtATime?: OneAtATime;
  /** The result that a failed call counts as. If undefined, as by default, the failure ends the whole round. */
  readonly answerOf?: (error: unknown) => ActionAnswer | undefined;
}

/**
 * Carries out the evictions and deletions of a plan. If a budget holds a pod, no other pod of its workload is evicted. If the API server
 * throttles, no more evictions are sent. Deletions are sent first, because their deadline has come.
 *
 * @returns the results by UID.
 * @throws KubernetesError if the API server does not respond. Earlier actions have been carried out.
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

/**
 * Runs the tasks of one key one after another, in the order in which they were added. Tasks of other keys run at the same time.
 * If a task fails, the tasks that wait behind it fail with the same error, because they would call the same API server.
 */
export type OneAtATime = <Value>(key: string, task: () => Promise<Value>) => Promise<Value>;

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
