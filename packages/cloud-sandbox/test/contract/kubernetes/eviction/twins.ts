import type { Condition } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';
import { sideBySide } from '../../support/side-by-side.ts';
import { type Answer, answerOf } from './answers.ts';
import type { ClusterApi } from './cluster-api.ts';
import type { TestNamespace } from './namespace.ts';
import { budgetName, furnishNamespace, podName, type RandomNamespace } from './random-namespace.ts';

/** The same namespaces in one cluster, filled and asked as in the other. */
export interface Twin {
  /** Creates the budgets, and waits until the disruption controller has seen each. */
  createBudgets(): Promise<void>;
  /** Writes the status of each budget as its description has it. */
  writeStatuses(): Promise<void>;
  /** What the disruption controller has written, by namespace and name. */
  countedStatuses(): Promise<readonly Counted[]>;
  /** The answer to the eviction of each pod, which is not carried out. */
  evictAll(): Promise<readonly Asked[]>;
}

/** The status of a budget, as its controller wrote it. */
export interface Counted extends Partial<Omit<PodDisruptionBudgetStatus, 'conditions'>> {
  readonly budget: string;
  readonly conditions: readonly Omit<Condition, 'lastTransitionTime'>[];
}

export interface Asked {
  readonly namespace: string;
  readonly pod: string;
  readonly answer: Answer;
}

const workers = 12;

export async function createTwin(api: ClusterApi, descriptions: readonly RandomNamespace[]): Promise<Twin> {
  const namespaces = await sideBySide(descriptions, workers, (description, index) =>
    furnishNamespace(api, `random-${index}`, description),
  );
  const each = <R>(work: (namespace: TestNamespace, description: RandomNamespace) => Promise<R>) =>
    sideBySide(descriptions, workers, async (description, index) => {
      const namespace = namespaces[index];
      if (!namespace) throw new RangeError(`no namespace ${index}`);
      return await work(namespace, description);
    });
  const readBudgets = async (): Promise<readonly PodDisruptionBudget[]> => {
    const path = '/apis/policy/v1/poddisruptionbudgets';
    const list = await api.write({ method: 'GET', path });
    return (list as { readonly items: readonly PodDisruptionBudget[] }).items;
  };
  return {
    createBudgets: async () => {
      // The controller hears of pods and of budgets on two ways.
      await api.pass(2);
      await each(async (namespace, { budgets }) => {
        for (const [index, { spec }] of budgets.entries())
          await namespace.budget(budgetName(index), { spec });
      });
      const isSeen = ({ status }: PodDisruptionBudget): boolean => (status?.conditions ?? []).length > 0;
      while (!(await readBudgets()).every(isSeen)) await api.pass(0.2);
    },
    writeStatuses: async () => {
      await each(async (namespace, { budgets }) => {
        for (const [index, { status }] of budgets.entries())
          await namespace.writeBudgetStatus(budgetName(index), status);
      });
    },
    countedStatuses: async () => (await readBudgets()).map(counted),
    evictAll: async () =>
      (
        await each(
          async (namespace, { pods }) =>
            await Promise.all(
              pods.map(async (_, index) => ({
                namespace: namespace.name,
                pod: podName(index),
                answer: answerOf(await namespace.evict(podName(index))),
              })),
            ),
        )
      ).flat(),
  };
}

/** Without the time at which it was written; of several pods that cannot be counted any may be named. */
const counted = ({ metadata, status }: PodDisruptionBudget): Counted => ({
  ...status,
  budget: `${metadata?.namespace}/${metadata?.name}`,
  conditions: (status?.conditions ?? []).map(({ type, status, reason, message, observedGeneration }) => ({
    type,
    status,
    reason,
    message: message.replace(/for pod "\S+"/, 'for some pod'),
    observedGeneration,
  })),
});
