import { messageOf } from '../base/message-of.ts';
import { allSettledOrThrow } from '../base/side-by-side.ts';
import type { DrainCluster, EvictionAnswer, PodIdentity } from '../nodes/cluster.ts';
import { isAboutEveryObject } from './cluster-failure.ts';
import type { DrainAction } from './plan-drain.ts';
import { controllerKeyOf } from './pod-facts.ts';

/**
 * The result of one action. After `no-answer` it may have been done. `postponed` means that it was not sent, because the API server had
 * throttled an earlier call or had not responded to it.
 */
export type ActionAnswer =
  | EvictionAnswer
  /** `unmarked` is the reason why it has no condition `DisruptionTarget`. */
  | { readonly kind: 'deleted'; readonly unmarked?: string }
  | { readonly kind: 'no-answer'; readonly message: string }
  | { readonly kind: 'postponed'; readonly message: string };

/** Pods of one workload are evicted one after another: parallel evictions under one budget only conflict. */
const parallelWorkloads = 5;

export interface EvictOptions {
  /** Called with every answer as it arrives. */
  readonly onAnswer?: (action: DrainAction, answer: ActionAnswer) => void;
  /** Shared by nodes that drain at the same time, because they run pods of the same workloads. Defaults to no coordination. */
  readonly oneAtATime?: OneAtATime;
  /** Where the round begins among the workloads, so that those whose calls hang are not always the first. */
  readonly startAt?: number;
  /** The result that a failed call counts as. If undefined, as by default, the failure ends the whole round. */
  readonly answerOf?: (error: unknown) => ActionAnswer | undefined;
}

type EvictingCluster = Pick<DrainCluster, 'evictPod' | 'markDisrupted' | 'deletePod'>;

/**
 * Carries out the evictions and deletions of a plan. If a budget holds a pod, or its call gets no response, no other pod of its workload is
 * evicted. An answer belongs to its pod until another pod gets such an answer: if the API server throttles two, no more evictions are sent,
 * and if two calls get no response and none has one, no more calls. Deletions are sent first, because their deadline has come.
 *
 * @returns the results by UID.
 * @throws KubernetesError if the API server does not respond. Earlier actions have been carried out.
 */
export async function evictPods(
  actions: readonly DrainAction[],
  cluster: EvictingCluster,
  { onAnswer, oneAtATime = runAtOnce, startAt = 0, answerOf }: EvictOptions = {},
): Promise<ReadonlyMap<string, ActionAnswer>> {
  const answers = new Map<string, ActionAnswer>();
  const deletionsFirst = actions.toSorted((one, other) => one.kind.localeCompare(other.kind));
  const workloads = rotated([...Map.groupBy(deletionsFirst, ({ workload }) => workload).values()], startAt);
  const mark = disruptionMarker(cluster);
  const server = watchServer();
  const evictWorkload = async (workload: readonly DrainAction[]): Promise<void> => {
    let held: ActionAnswer | undefined;
    for (const action of workload) {
      const known = server.postpones(action) ?? held;
      const answer =
        known ?? (await oneAtATime(action.workload, () => attempt(action, { cluster, mark, answerOf })));
      server.answered(action, answer);
      if (answer.kind === 'held' && action.kind === 'evict') held = answer;
      if (answer.kind === 'no-answer') held = { kind: 'postponed', message: answer.message };
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

/** Another beginning in each round: passes come at nearly equal intervals, so that the time itself would repeat in a short list. */
export const scattered = (now: number): number => Math.imul(Math.floor(now / 1000), 2_654_435_761) >>> 8;

/** Workloads whose deadline has come stay first. */
function rotated(workloads: (readonly DrainAction[])[], startAt: number): (readonly DrainAction[])[] {
  const isUrgent = ([action]: readonly DrainAction[]): boolean => action?.kind === 'delete';
  return [workloads.filter(isUrgent), workloads.filter((workload) => !isUrgent(workload))].flatMap((part) => {
    const first = part.length === 0 ? 0 : startAt % part.length;
    return [...part.slice(first), ...part.slice(0, first)];
  });
}

/** So many calls without an answer end a round although others had one: each takes seconds of the time of the pass. */
const mostUnanswered = 6;

/**
 * Notices when an answer is the API server's, and not about one pod. Pods of one controller are one witness, ready or not. If some calls
 * have an answer, the API server is not away, and those without one hang by themselves, for example in an admission webhook.
 */
function watchServer() {
  const throttled = new Set<string>();
  const unanswered = new Set<string>();
  let throttles: ActionAnswer | undefined;
  let hangs: ActionAnswer | undefined;
  let hasAnswered = false;
  const isAway = (): boolean => unanswered.size > (hasAnswered ? mostUnanswered : 1);
  return {
    postpones: ({ kind }: DrainAction): ActionAnswer | undefined =>
      (isAway() ? hangs : undefined) ?? (kind === 'evict' ? throttles : undefined),
    answered: (action: DrainAction, answer: ActionAnswer): void => {
      const workload = controllerKeyOf(action.workload);
      if (answer.kind !== 'no-answer' && answer.kind !== 'postponed') hasAnswered = true;
      if (answer.kind === 'throttled') {
        throttled.add(workload);
        if (answer.isServers || throttled.size > 1)
          throttles ??= { kind: 'postponed', message: answer.message };
      }
      if (answer.kind === 'no-answer') {
        unanswered.add(workload);
        hangs ??= { kind: 'postponed', message: answer.message };
      }
    },
  };
}

const runAtOnce: OneAtATime = (_, task) => task();

interface Sending extends Pick<EvictOptions, 'answerOf'> {
  readonly cluster: EvictingCluster;
  readonly mark: MarkDisrupted;
}

async function attempt(action: DrainAction, { answerOf, ...sending }: Sending): Promise<ActionAnswer> {
  try {
    return await send(action, sending);
  } catch (error) {
    const answer = answerOf?.(error);
    if (!answer) throw error;
    return answer;
  }
}

async function send(
  { kind, pod, gracePeriodSeconds, isTerminating }: DrainAction,
  { cluster, mark }: Sending,
): Promise<ActionAnswer> {
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  if (kind === 'evict') return await cluster.evictPod(pod, grace);
  // An eviction sets the condition itself.
  const unmarked = isTerminating ? undefined : await mark(pod);
  const answer = await cluster.deletePod(pod, grace);
  return answer === 'deleted' && unmarked !== undefined ? { kind: answer, unmarked } : { kind: answer };
}

/** Resolves with the reason for which the pod has no condition; undefined if it has. */
type MarkDisrupted = (pod: PodIdentity) => Promise<string | undefined>;

/** Whatever refuses the condition, the deletion follows. After a refusal for every pod, or without a response, no other pod costs time. */
function disruptionMarker(cluster: EvictingCluster): MarkDisrupted {
  let refusal: string | undefined;
  return async (pod) => {
    if (refusal !== undefined) return refusal;
    try {
      await cluster.markDisrupted(pod, 'Drover: deleted so that its node is empty');
      return undefined;
    } catch (error) {
      const message = messageOf(error);
      if (isAboutEveryObject(error)) refusal = message;
      return message;
    }
  };
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
