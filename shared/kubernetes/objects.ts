import type { Node, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { KubernetesError } from './kubernetes-error.ts';

const namedSchema = lazily(() => z.looseObject({ metadata: z.looseObject({ name: z.string() }) }));

/** An object as the API server sends it: that it is one and has a name is checked, the rest is the API's published type. */
const named = <T>() => lazily(() => z.custom<T>((value) => z.safeParse(namedSchema(), value).success));

export const nodeSchema = named<Node>();
export const podSchema = named<Pod>();
export const budgetSchema = named<PodDisruptionBudget>();
export const volumeAttachmentSchema = named<VolumeAttachment>();
export const claimSchema = named<PersistentVolumeClaim>();
export const metadataSchema = named<{ readonly metadata?: ObjectMeta }>();

/**
 * Reads one object; `what` names the request that brought it.
 *
 * @throws KubernetesError when it is none.
 */
export function readObject<T>(schema: () => z.ZodMiniType<T>, value: unknown, what: string): T {
  const result = z.safeParse(schema(), value);
  if (!result.success) throw new KubernetesError('unexpected', `${what} answered no Kubernetes object`);
  return result.data;
}
