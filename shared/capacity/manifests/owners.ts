import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import type { ManifestObject } from './objects.ts';

const ownedSchema = lazily(() =>
  z.looseObject({
    metadata: z.looseObject({
      name: z.optional(z.string()),
      namespace: z.optional(z.string()),
      ownerReferences: z.optional(
        z.array(z.looseObject({ kind: z.string(), name: z.string(), controller: z.optional(z.boolean()) })),
      ),
    }),
  }),
);

/** The metadata of an object, as far as it can be read. */
export function identityIn({ value }: ManifestObject): {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly controller: { readonly kind: string; readonly name: string } | undefined;
} {
  const { data } = z.safeParse(ownedSchema(), value);
  const { name, namespace, ownerReferences = [] } = data?.metadata ?? {};
  return {
    name: name ?? '',
    namespace,
    controller: ownerReferences.find(({ controller }) => controller === true),
  };
}

/**
 * Leaves out what a controller of the same manifests makes, such as the ReplicaSets and Pods in the output of `kubectl get all`: its pods would be
 * planned twice.
 */
export function withoutOwned(objects: readonly ManifestObject[]): {
  readonly kept: readonly ManifestObject[];
  readonly notes: readonly string[];
} {
  const key = (kind: string, namespace: string | undefined, name: string): string =>
    `${kind} ${namespace ?? ''}/${name}`;
  const keys = new Set(
    objects.map((object) => key(object.kind, identityIn(object).namespace, identityIn(object).name)),
  );
  const kept = objects.filter((object) => {
    const { controller, namespace } = identityIn(object);
    return controller === undefined || !keys.has(key(controller.kind, namespace, controller.name));
  });
  const left = objects.length - kept.length;
  const notes =
    left === 0
      ? []
      : [
          `${left === 1 ? '1 object is' : `${left} objects are`} left out, because a controller of the same manifests makes them`,
        ];
  return { kept, notes };
}
