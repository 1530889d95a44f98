/** One resource of the API: how it is addressed and what kind its objects have. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Beside the object itself: `status`, `scale`, `eviction`, `binding`, `approval`, `token`, `finalize`. */
  readonly subresources: readonly string[];
  /** What can be done with the object itself. */
  readonly verbs: readonly string[];
}

/** Of most resources. */
export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `pods`, `deployments.apps`: as error messages and the store name a resource. */
export function resourceKey({ group, plural }: { group: string; plural: string }): string {
  return group === '' ? plural : `${plural}.${group}`;
}
