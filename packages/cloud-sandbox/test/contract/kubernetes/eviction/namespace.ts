import type { Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';
import type { HttpResponse } from '../../../../src/net/http.ts';
import type { ClusterApi } from './cluster-api.ts';

export interface PodParts {
  readonly metadata?: ObjectMeta;
  readonly spec?: Partial<PodSpec>;
  /** Default Running. */
  readonly phase?: string;
  /** Default true. */
  readonly ready?: boolean;
}

export interface BudgetParts {
  readonly metadata?: ObjectMeta;
  readonly spec: object;
  /** Undefined if no controller has processed the budget yet. */
  readonly status?: Partial<PodDisruptionBudgetStatus>;
}

/** A namespace of a cluster in which only the test writes. */
export interface TestNamespace {
  readonly name: string;
  readonly api: ClusterApi;
  /** A pod on the node `node-1`, in a state that only the test sets. */
  pod(name: string, parts?: PodParts): Promise<Pod>;
  readPod(name: string): Promise<Pod | undefined>;
  deletePod(name: string, options?: object): Promise<void>;
  budget(name: string, parts: BudgetParts): Promise<void>;
  /** By hand, as the disruption controller would. */
  writeBudgetStatus(name: string, status: Partial<PodDisruptionBudgetStatus>): Promise<void>;
  readBudget(name: string): Promise<PodDisruptionBudget>;
  evict(name: string, eviction?: EvictionParts): Promise<HttpResponse>;
  terminate(): Promise<void>;
}

interface EvictionParts {
  /** Added to `apiVersion` and `kind`, or replacing them. */
  readonly body?: object;
  /** Replaces `?dryRun=All`. */
  readonly query?: string;
}

const policyPath = (namespace: string): string =>
  `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;

export const podsPath = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

/** Creates a namespace. */
export async function testNamespace(api: ClusterApi, name: string): Promise<TestNamespace> {
  await api.write({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  const pods = podsPath(name);
  const budgets = policyPath(name);
  const writeBudgetStatus: TestNamespace['writeBudgetStatus'] = async (budgetName, status) => {
    const path = `${budgets}/${budgetName}/status`;
    await api.write({ method: 'PATCH', path, body: { status: { ...nothingAllowed, ...status } } });
  };
  return {
    name,
    api,
    pod: async (podName, parts = {}) => {
      await api.write({ method: 'POST', path: pods, body: podObject(podName, parts) });
      const path = `${pods}/${podName}/status`;
      const body = { status: podStatus(parts) };
      return (await api.write({ method: 'PATCH', path, body })) as Pod;
    },
    readPod: async (podName) => {
      const { status, body } = await api.send({ method: 'GET', path: `${pods}/${podName}` });
      return status === 404 ? undefined : JSON.parse(body);
    },
    deletePod: async (podName, body = {}) => {
      await api.write({ method: 'DELETE', path: `${pods}/${podName}`, body });
    },
    budget: async (budgetName, { metadata, spec, status }) => {
      const body = { metadata: { name: budgetName, ...metadata }, spec };
      await api.write({ method: 'POST', path: budgets, body });
      if (status !== undefined) await writeBudgetStatus(budgetName, status);
    },
    writeBudgetStatus,
    readBudget: async (budgetName) =>
      (await api.write({ method: 'GET', path: `${budgets}/${budgetName}` })) as PodDisruptionBudget,
    evict: (podName, { body, query = '?dryRun=All' } = {}) =>
      api.send({
        method: 'POST',
        path: `${pods}/${podName}/eviction${query}`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: podName }, ...body },
      }),
    terminate: async () => {
      await api.write({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
    },
  };
}

const nothingAllowed: PodDisruptionBudgetStatus = {
  observedGeneration: 1,
  disruptionsAllowed: 0,
  currentHealthy: 1,
  desiredHealthy: 1,
  expectedPods: 1,
};

const podObject = (name: string, { metadata, spec }: PodParts): object => ({
  metadata: { name, labels: { app: name }, ...metadata },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'example' }], ...spec },
});

const podStatus = ({ phase = 'Running', ready = true }: PodParts): object => ({
  phase,
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
});
