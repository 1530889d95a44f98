import type { DrainCluster, EvictionAnswer } from './cluster.ts';
import type { DrainAction } from './plan-types.ts';

/** What came of one action. `postponed`: not sent, for the API server had asked for a pause. */
export type ActionAnswer =
  | EvictionAnswer
  | { readonly kind: 'deleted' }
  | { readonly kind: 'postponed'; readonly message: string };

/**
 * So many calls at a time: sixteen parallel evictions under one budget make the API server lose seconds to conflicts on
 * the budget's status.
 */
const parallelCalls = 5;

export interface ActOptions {
  /** Told of every answer as it comes. */
  readonly onAnswer?: (action: DrainAction, answer: ActionAnswer) => void;
}

/**
 * Carries out a plan's actions, a few at a time, and stops sending evictions once the API server throttles. Deletions are
 * sent first: theirs is the deadline.
 *
 * @returns the answers by UID.
 * @throws KubernetesError when the API server does not answer; what was done until then stands.
 */
export async function carryOut(
  actions: readonly DrainAction[],
  cluster: Pick<DrainCluster, 'evictPod' | 'deletePod'>,
  options: ActOptions = {},
): Promise<ReadonlyMap<string, ActionAnswer>> {
  const answers = new Map<string, ActionAnswer>();
  const queue = actions.toSorted((one, other) => one.kind.localeCompare(other.kind));
  let throttled: string | undefined;
  const work = async (): Promise<void> => {
    for (let action = queue.shift(); action; action = queue.shift()) {
      const answer =
        throttled !== undefined && action.kind === 'evict'
          ? ({ kind: 'postponed', message: throttled } as const)
          : await send(action, cluster);
      if (answer.kind === 'throttled') throttled = answer.message;
      answers.set(action.pod.uid, answer);
      options.onAnswer?.(action, answer);
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, work));
  return answers;
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
