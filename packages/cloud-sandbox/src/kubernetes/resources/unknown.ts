import type { ResourceDefinition } from './definition.ts';

/** A resource that this server does not have: it can be denied, and is then not found. */
export function unknownResource(
  address: Pick<ResourceDefinition, 'group' | 'version' | 'plural'>,
): ResourceDefinition {
  const none = { shortNames: [], categories: [], subresources: [], verbs: [] };
  return { ...address, singular: '', kind: '', namespaced: true, ...none };
}

export const isUnknown = ({ kind }: ResourceDefinition): boolean => kind === '';
