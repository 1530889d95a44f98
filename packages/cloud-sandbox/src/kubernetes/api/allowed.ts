import type { ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { isUnknown } from '../resources/unknown.ts';
import { isVirtual, virtualResources } from '../resources/virtual.ts';
import { subresourceKind } from './discovery-verbs.ts';
import { methodNotAllowed, noSuchResource } from './errors.ts';
import type { ResourceRoute, Verb } from './route.ts';

const groups = new Set([...definitions, ...virtualResources].map(({ group }) => group));

/** Whether the path is below a group that this server has: a missing object is answered there with a Status, elsewhere with a page. */
export const isKnownGroup = ({ definition }: ResourceRoute): boolean => groups.has(definition.group);

const ofCollections: readonly Verb[] = ['list', 'watch', 'create', 'deletecollection'];
const ofAllNamespaces: readonly Verb[] = ['list', 'watch'];

/** Throws 404 for what the path cannot name, 405 for what cannot be done with it. */
export function checkAllowed({ definition, verb, namespace, name, subresource }: ResourceRoute): void {
  const isElsewhere = namespace !== undefined && !definition.namespaced;
  const isNowhere = definition.namespaced && namespace === undefined && name !== undefined;
  if (isUnknown(definition) || isElsewhere || isNowhere) throw noSuchResource();
  if (subresource !== undefined) return checkPart(definition, { subresource, verb });
  if (isVirtual(definition) && name !== undefined) throw noSuchResource();
  const isOfCollection = ofCollections.includes(verb);
  const isOfAll = definition.namespaced && namespace === undefined && isStored(definition);
  const isMissing = isOfAll && !ofAllNamespaces.includes(verb);
  if (isOfCollection !== (name === undefined) || isMissing || !definition.verbs.includes(verb))
    throw methodNotAllowed();
}

const isStored = (definition: ResourceDefinition): boolean => !isVirtual(definition);

function checkPart(
  definition: ResourceDefinition,
  { subresource, verb }: { readonly subresource: string; readonly verb: Verb },
): void {
  if (!definition.subresources.includes(subresource)) throw noSuchResource();
  if (!subresourceKind(subresource, definition.kind).verbs.includes(verb)) throw methodNotAllowed();
}
