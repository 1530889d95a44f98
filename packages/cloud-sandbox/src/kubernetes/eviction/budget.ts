import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { forbidden } from '../api/errors.ts';
import { failure } from '../api/status-error.ts';
import { commit } from '../registry/commit.ts';
import type { Context } from '../registry/context.ts';
import { definitionOf } from '../resources/definitions.ts';
import { type Stored, timestamp } from '../store/object.ts';
import { withAllowedCondition } from './condition.ts';

const resource = { group: 'policy', plural: 'poddisruptionbudget' };
/** Evictions granted that the disruption controller has not yet seen: past this the server grants no more. */
const maximumUnconfirmed = 2_000;

interface Spending {
  readonly budget: Stored<PodDisruptionBudget>;
  readonly podName: string;
  readonly dryRun: boolean;
}

/** Takes one disruption from the budget, or throws 429 with the cause DisruptionBudget. */
export function spendDisruption(context: Context, { budget, podName, dryRun }: Spending): void {
  const { status, metadata } = budget;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw notObserved(metadata.name);
  const disruptedPods = status?.disruptedPods ?? {};
  if (Object.keys(disruptedPods).length > maximumUnconfirmed)
    throw forbidden(
      resource,
      metadata.name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  const allowed = status?.disruptionsAllowed ?? 0;
  if (status === undefined || allowed <= 0) throw exhausted(budget);
  if (dryRun) return;
  const now = context.clock.now();
  const spent = {
    ...status,
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...disruptedPods, [podName]: timestamp(now) },
  };
  // The server writes the condition only if it changes.
  const next = { ...budget, status: allowed === 1 ? withAllowedCondition(spent, now) : spent };
  commit(context, definitionOf('poddisruptionbudgets.policy'), next);
}

function refusal(cause: string, retryAfterSeconds: number) {
  return failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    retryAfterSeconds,
  });
}

function notObserved(name: string) {
  return refusal(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function exhausted({ metadata, status }: Stored<PodDisruptionBudget>) {
  const wanted = status?.desiredHealthy ?? 0;
  const present = status?.currentHealthy ?? 0;
  return refusal(
    `The disruption budget ${metadata.name} needs ${wanted} healthy pods and has ${present} currently`,
    0,
  );
}
