interface SubresourceKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** What a part of a resource is read and written as. */
export function subresourceKind(part: string, ownKind: string): SubresourceKind {
  switch (part) {
    case 'eviction':
      return { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
    case 'binding':
      return { kind: 'Binding', verbs: ['create'] };
    case 'token':
      return { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] };
    case 'scale':
      return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };
    case 'finalize':
      return { kind: ownKind, verbs: ['update'] };
    default:
      return { kind: ownKind, verbs: ['get', 'patch', 'update'] };
  }
}
