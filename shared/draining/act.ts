import type { DrainCluster, EvictionAnswer } from './cluster.ts';
import type { InTurn } from './in-turn.ts';
import type { DrainAction } from './plan-types.ts';

/** What came of one action. `postponed`: not sent, for the API server had asked for a pause. */
export type ActionAnswer =
  | EvictionAnswer
  | { readonly kind: 'deleted' }
  | { readonly kind: 'postponed'; readonly message: string };

/** So many workloads at a time, the pods of each one after another: parallel evictions under one budget only collide. */
const parallelWorkloads = 5;

export interface ActOptions {
  /** Told of every answer as it comes. */
  readonly onAnswer?: (action: DrainAction, answer: ActionAnswer) => void;
  /** Where several nodes leave at once: theirs are pods of the same workloads. Absent: this is the only one. */
  readonly inTurn?: InTurn;
}

/**
 * Carries out a plan's actions. Once a budget holds a pod, it holds the rest of its workload, which is not asked for; once
 * the API server throttles, no more evictions are sent. Deletions are sent first: theirs is the deadline.
 *
 * @returns the answers by UID.
 * @throws KubernetesError when the API server does not answer; what was done until then stands.
 */
export async function carryOut(
  actions: readonly DrainAction[],
  cluster: Pick<DrainCluster, 'evictPod' | 'deletePod'>,
  { onAnswer, inTurn = alone }: ActOptions = {},
): Promise<ReadonlyMap<string, ActionAnswer>> {
  const answers = new Map<string, ActionAnswer>();
  const deletionsFirst = actions.toSorted((one, other) => one.kind.localeCompare(other.kind));
  const workloads = [...Map.groupBy(deletionsFirst, ({ workload }) => workload).values()];
  let throttled: ActionAnswer | undefined;
  const leaveInTurn = async (workload: readonly DrainAction[]): Promise<void> => {
    let held: ActionAnswer | undefined;
    for (const action of workload) {
      const known = action.kind === 'evict' ? (held ?? throttled) : undefined;
      const answer = known ?? (await inTurn(action.workload, () => send(action, cluster)));
      if (answer.kind === 'held') held = answer;
      if (answer.kind === 'throttled') throttled ??= { kind: 'postponed', message: answer.message };
      answers.set(action.pod.uid, answer);
      onAnswer?.(action, answer);
    }
  };
  const work = async (): Promise<void> => {
    for (let next = workloads.shift(); next; next = workloads.shift()) await leaveInTurn(next);
  };
  await untilAllRest(Array.from({ length: parallelWorkloads }, work));
  return answers;
}

const alone: InTurn = (_, work) => work();

/** Rejects with the first failure, but only when no call is under way any more: nothing acts after its pass has ended. */
async function untilAllRest(workers: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(workers);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
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
