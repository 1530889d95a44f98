import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { answerOf, granted, heldBack, refused } from './answers.ts';
import type { TestNamespace } from './namespace.ts';

const web = { selector: { matchLabels: { app: 'web' } }, minAvailable: 1 };
const ample = { disruptionsAllowed: 5, currentHealthy: 6 };
const severalBudgets = refused({
  code: 500,
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
});

/** What a budget says to the eviction of a pod (pkg/registry/core/pod/storage/eviction.go). */
export const budgetCases: Cases<TestNamespace> = {
  'a pod without a budget is evicted': async (namespace) => {
    await namespace.pod('web');
    expect(answerOf(await namespace.evict('web'))).toEqual(granted);
  },
  'a budget without allowed disruptions refuses evictions with its name and its numbers': async (
    namespace,
  ) => {
    await namespace.pod('web');
    await namespace.budget('strict', { spec: web, status: { desiredHealthy: 3, currentHealthy: 2 } });
    expect(answerOf(await namespace.evict('web'))).toEqual(
      heldBack('The disruption budget strict needs 3 healthy pods and has 2 currently'),
    );
  },
  'a budget with an outdated status refuses evictions with a retry after ten seconds': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('new', { spec: web, status: { ...ample, observedGeneration: 0 } });
    expect(answerOf(await namespace.evict('web'))).toEqual(
      heldBack('The disruption budget new is still being processed by the server.', 10),
    );
  },
  'a budget without a status refuses evictions with a retry after ten seconds': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('unseen', { spec: web });
    expect(answerOf(await namespace.evict('web'))).toEqual(
      heldBack('The disruption budget unseen is still being processed by the server.', 10),
    );
  },
  'two budgets for one pod are a 500, whatever they allow': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('one', { spec: web, status: ample });
    await namespace.budget('two', { spec: web, status: ample });
    expect(answerOf(await namespace.evict('web'))).toEqual(severalBudgets);
  },
  'an empty selector of a budget selects every pod of the namespace': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('all', { spec: { selector: {}, minAvailable: 1 }, status: {} });
    expect(answerOf(await namespace.evict('web')).httpStatus).toBe(429);
  },
  'a budget without a selector selects no pod': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('none', { spec: { minAvailable: 1 }, status: {} });
    expect(answerOf(await namespace.evict('web'))).toEqual(granted);
  },
  'a missing label matches NotIn': async (namespace) => {
    await namespace.pod('web');
    const matchExpressions = [{ key: 'tier', operator: 'NotIn', values: ['front'] }];
    await namespace.budget('backs', {
      spec: { selector: { matchExpressions }, minAvailable: 1 },
      status: {},
    });
    expect(answerOf(await namespace.evict('web')).httpStatus).toBe(429);
  },
  'pods that are Pending, finished or terminating pass every budget': async (namespace) => {
    const selector = { matchLabels: { set: 'all' } };
    const metadata = { labels: { set: 'all' } };
    await namespace.budget('strict', { spec: { selector, minAvailable: 9 }, status: {} });
    for (const phase of ['Pending', 'Succeeded', 'Failed'])
      await namespace.pod(phase.toLowerCase(), { phase, metadata });
    await namespace.pod('going', { metadata });
    await namespace.deletePod('going');
    await namespace.pod('unknown', { phase: 'Unknown', metadata });
    for (const name of ['pending', 'succeeded', 'failed', 'going'])
      expect(answerOf(await namespace.evict(name)), name).toEqual(granted);
    expect(answerOf(await namespace.evict('unknown')).httpStatus).toBe(429);
  },
  'a pod that is not Ready passes a budget that is satisfied without it': async (namespace) => {
    await namespace.pod('web', { ready: false });
    await namespace.budget('met', { spec: web, status: { currentHealthy: 1, desiredHealthy: 1 } });
    expect(answerOf(await namespace.evict('web'))).toEqual(granted);
  },
  'a pod that is not Ready is held by a budget that needs no healthy pod': async (namespace) => {
    await namespace.pod('web', { ready: false });
    await namespace.budget('zero', { spec: web, status: { currentHealthy: 1, desiredHealthy: 0 } });
    expect(answerOf(await namespace.evict('web')).httpStatus).toBe(429);
  },
  'a pod that is not Ready passes AlwaysAllow, even if the status is outdated': async (namespace) => {
    await namespace.pod('web', { ready: false });
    await namespace.budget('lenient', { spec: { ...web, unhealthyPodEvictionPolicy: 'AlwaysAllow' } });
    expect(answerOf(await namespace.evict('web'))).toEqual(granted);
  },
  'a dry run does not change the budget': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('one', { spec: web, status: { disruptionsAllowed: 1 } });
    await namespace.evict('web');
    const { status } = await namespace.readBudget('one');
    expect(status?.disruptionsAllowed).toBe(1);
    expect(status?.disruptedPods).toBeUndefined();
  },
  'an eviction decrements its budget and records the name of the pod there': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('two', { spec: web, status: { disruptionsAllowed: 2 } });
    expect(answerOf(await namespace.evict('web', { query: '' }))).toEqual(granted);
    const { status } = await namespace.readBudget('two');
    expect(status?.disruptionsAllowed).toBe(1);
    expect(Object.keys(status?.disruptedPods ?? {})).toEqual(['web']);
    expect(status?.conditions ?? []).toEqual([]);
  },
  'the last allowed eviction of a budget sets the condition InsufficientPods': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('one', { spec: web, status: { disruptionsAllowed: 1 } });
    await namespace.evict('web', { query: '' });
    const { status } = await namespace.readBudget('one');
    expect(status?.disruptionsAllowed).toBe(0);
    expect(status?.conditions).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', observedGeneration: 1 },
    ]);
  },
  'an eviction with another UID decrements the budget nevertheless': async (namespace) => {
    await namespace.pod('web');
    await namespace.budget('one', { spec: web, status: { disruptionsAllowed: 1 } });
    const body = { deleteOptions: { preconditions: { uid: 'another' } } };
    expect(answerOf(await namespace.evict('web', { query: '', body })).httpStatus).toBe(409);
    expect((await namespace.readBudget('one')).status?.disruptionsAllowed).toBe(0);
  },
};
