import type { ResourceDefinition } from './definition.ts';

function virtual(group: string, plural: string, kind: string, namespaced = false): ResourceDefinition {
  const none = { shortNames: [], categories: [], subresources: [], verbs: ['create'] };
  return { group, version: 'v1', plural, singular: kind.toLowerCase(), kind, namespaced, ...none };
}

/** Resources that are never stored: reviews of a user's identity and rights. */
export const virtualResources: readonly ResourceDefinition[] = [
  virtual('authentication.k8s.io', 'tokenreviews', 'TokenReview'),
  virtual('authentication.k8s.io', 'selfsubjectreviews', 'SelfSubjectReview'),
  virtual('authorization.k8s.io', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview'),
  virtual('authorization.k8s.io', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview'),
  virtual('authorization.k8s.io', 'subjectaccessreviews', 'SubjectAccessReview'),
  virtual('authorization.k8s.io', 'localsubjectaccessreviews', 'LocalSubjectAccessReview', true),
];

export const isVirtualGroup = (group: string): boolean =>
  group === 'authentication.k8s.io' || group === 'authorization.k8s.io';

export const isVirtual = ({ group }: ResourceDefinition): boolean => isVirtualGroup(group);
