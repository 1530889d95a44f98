import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { DeleteOptions, Status } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { badRequest } from '../api/errors.ts';
import { failure } from '../api/status-error.ts';
import { withCondition } from '../controllers/conditions.ts';
import type { Context } from '../registry/context.ts';
import { checkPreconditions, deleteObject } from '../registry/delete.ts';
import { getObject, updateObject } from '../registry/update.ts';
import { definitionOf } from '../resources/definitions.ts';
import { matchesSelector } from '../selectors/label-selector.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';
import { spendDisruption } from './budget.ts';

export interface EvictionRequest {
  readonly namespace: string;
  readonly name: string;
  /** The name in the body, which must be the pod's. */
  readonly bodyName?: string;
  readonly deleteOptions: DeleteOptions;
  readonly dryRun: boolean;
}

const definition = definitionOf('pods');

/**
 * The eviction subresource, as `pkg/registry/core/pod/storage/eviction.go` has it: pods that are Pending, finished or
 * already going pass; several budgets are a 500 for ever; an unhealthy pod passes when the budget is met without it.
 * Throws StatusError: 404, 409 of a precondition, 429 of a budget.
 */
export function evictPod(context: Context, request: EvictionRequest): Status {
  if (request.bodyName !== request.name)
    throw badRequest('name in URL does not match name in Eviction object');
  const pod = getObject(context, definition, request.namespace, request.name) as Stored<Pod>;
  const { deleteOptions, dryRun } = request;
  if (!passesBudgets(pod)) askBudget(context, pod, dryRun);
  checkPreconditions(definition, pod, deleteOptions);
  const { preconditions: _, ...options } = deleteOptions;
  const object = dryRun ? pod : markDisrupted(context, pod);
  deleteObject(context, { definition, object, options, dryRun });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** Why it ends, for its controller and for people: a write of its own before the deletion. */
function markDisrupted(context: Context, previous: Stored<Pod>): Stored<KubernetesObject> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const next = withCondition(previous, condition, timestamp(context.clock.now()));
  return updateObject(context, { definition, previous, next, subresource: 'status' });
}

function passesBudgets({ status, metadata }: Stored<Pod>): boolean {
  const phase = status?.phase ?? '';
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(phase);
}

function askBudget(context: Context, pod: Stored<Pod>, dryRun: boolean): void {
  const [budget, ...others] = budgetsOf(context, pod);
  if (others.length > 0) {
    throw failure({
      code: 500,
      message:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  }
  if (budget === undefined || (!isReady(pod) && unhealthyMayGo(budget))) return;
  spendDisruption(context, { budget, podName: pod.metadata.name, dryRun });
}

/** The budgets of the pod's namespace whose selector takes it in. */
export function budgetsOf({ store }: Context, pod: Stored<Pod>): readonly Stored<PodDisruptionBudget>[] {
  const budgets = store.of('poddisruptionbudgets.policy');
  if (budgets.size === 0) return [];
  const { namespace = '', labels = {} } = pod.metadata;
  const values = ['', ...Object.entries(labels).map(([key, value]) => `${key}=${value}`)];
  return values
    .flatMap((value) => budgets.find('selector', `${namespace}/${value}`))
    .filter(({ spec }) => matchesSelector(spec?.selector, labels));
}

export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

function unhealthyMayGo({ spec, status }: Stored<PodDisruptionBudget>): boolean {
  const policy: unknown = Reflect.get(spec ?? {}, 'unhealthyPodEvictionPolicy');
  if (policy === 'AlwaysAllow') return true;
  const desired = status?.desiredHealthy ?? 0;
  return desired > 0 && (status?.currentHealthy ?? 0) >= desired;
}
