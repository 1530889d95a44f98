import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { KubernetesError } from './kubernetes-error.ts';

const namedSchema = lazily(() => z.looseObject({ metadata: z.looseObject({ name: z.string() }) }));

/** A schema that checks only that the value is an object with a name. The rest is trusted to match the API's published type. */
const named = <T>() => lazily(() => z.custom<T>((value) => z.safeParse(namedSchema(), value).success));

export const nodeSchema = named<Node>();
export const podSchema = named<Pod>();
export const budgetSchema = named<PodDisruptionBudget>();
export const volumeAttachmentSchema = named<VolumeAttachment>();
export const deploymentSchema = named<Deployment>();
export const clusterRoleSchema = named<ClusterRole>();
export const clusterRoleBindingSchema = named<ClusterRoleBinding>();
export const claimSchema = named<PersistentVolumeClaim>();
export const metadataSchema = named<{ readonly metadata?: ObjectMeta }>();

/**
 * Reads one object; `what` names the request.
 *
 * @throws KubernetesError if it is not an object with a name.
 */
export function readObject<T>(schema: () => z.ZodMiniType<T>, value: unknown, what: string): T {
  const result = z.safeParse(schema(), value);
  if (!result.success)
    throw new KubernetesError('unexpected', `${what} answered something that is not a Kubernetes object`);
  return result.data;
}
