import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { withAllowedCondition, withFailure } from '../eviction/condition.ts';
import { budgetsOf, isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import { matchesSelector } from '../selectors/label-selector.ts';
import { keyOf, type Stored } from '../store/object.ts';
import { expectedAndDesired } from './disruption-numbers.ts';
import { createWorkQueue, splitKey } from './work-queue.ts';

/** After this an eviction that was granted but whose pod was never deleted is given back to the budget. */
const unconfirmedMilliseconds = 120_000;

/** Keeps the status of every PodDisruptionBudget: healthy pods, expected pods, disruptions allowed. */
export function startDisruptionController(registry: Registry): void {
  const { store, clock } = registry;
  const budgets = store.of('poddisruptionbudgets.policy');
  const queue = createWorkQueue(clock, (key) => {
    const budget = budgets.get(...splitKey(key));
    if (budget !== undefined) reconcile(registry, budget);
  });
  budgets.subscribe(({ type, object }) => {
    if (type === 'DELETED') return;
    queue.add(keyOf(object));
    if (object.status?.disruptedPods !== undefined) queue.addAfter(keyOf(object), unconfirmedMilliseconds);
  });
  store.of('pods').subscribe(({ object, previous }) => {
    for (const budget of budgetsOf(registry, object)) queue.add(keyOf(budget));
    if (previous === undefined || previous.metadata.labels === object.metadata.labels) return;
    for (const budget of budgetsOf(registry, previous)) queue.add(keyOf(budget));
  });
  for (const workload of ['replicasets.apps', 'deployments.apps', 'statefulsets.apps'] as const) {
    store.of(workload).subscribe(({ object, previous }) => {
      if (previous?.metadata.generation === object.metadata.generation) return;
      const namespace = object.metadata.namespace ?? '';
      for (const budget of budgets.find('namespace', namespace)) queue.add(keyOf(budget));
    });
  }
}

function reconcile(registry: Registry, budget: Stored<PodDisruptionBudget>): void {
  const pods = podsOf(registry, budget);
  const numbers = expectedAndDesired(registry.store, budget, pods);
  if ('problem' in numbers) return fail(registry, budget, numbers.problem);
  const { expected, desired } = numbers;
  const disruptedPods = unconfirmed(registry, budget, pods);
  const healthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined && isReady(pod) && !(pod.metadata.name in disruptedPods),
  ).length;
  const status = {
    ...budget.status,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    disruptionsAllowed: expected <= 0 ? 0 : Math.max(0, healthy - desired),
    observedGeneration: budget.metadata.generation ?? 1,
    disruptedPods,
  };
  if (Object.keys(disruptedPods).length === 0) Reflect.deleteProperty(status, 'disruptedPods');
  const next = withAllowedCondition(status, registry.clock.now());
  registry.updateStatus('poddisruptionbudgets.policy', budget, (current) => ({ ...current, status: next }));
}

/** What cannot be counted allows nothing; the rest of the status stays, so that a new budget counts as not yet seen. */
function fail(registry: Registry, budget: Stored<PodDisruptionBudget>, problem: string): void {
  if (budget.status === undefined) return;
  const status = withFailure(budget.status, problem, registry.clock.now());
  registry.updateStatus('poddisruptionbudgets.policy', budget, (current) => ({ ...current, status }));
}

/** All pods that the selector takes in, finished ones too, found by the index of one of its labels, if it has one. */
function podsOf(
  { store }: Registry,
  { spec, metadata }: Stored<PodDisruptionBudget>,
): readonly Stored<Pod>[] {
  const namespace = metadata.namespace ?? '';
  const [label] = Object.entries(spec?.selector?.matchLabels ?? {});
  const candidates =
    label === undefined
      ? store.of('pods').find('namespace', namespace)
      : store.of('pods').find('label', `${namespace}/${label[0]}=${label[1]}`);
  return candidates.filter((pod) => matchesSelector(spec?.selector, pod.metadata.labels));
}

/** Evictions granted whose pods do not yet show a deletion. */
function unconfirmed(
  { clock }: Registry,
  { status }: Stored<PodDisruptionBudget>,
  pods: readonly Stored<Pod>[],
): Readonly<Record<string, string>> {
  const waiting = new Set(
    pods.filter((pod) => pod.metadata.deletionTimestamp === undefined).map((pod) => pod.metadata.name),
  );
  return Object.fromEntries(
    Object.entries(status?.disruptedPods ?? {}).filter(
      ([name, since]) => waiting.has(name) && clock.now() - Date.parse(since) < unconfirmedMilliseconds,
    ),
  );
}
