/** One verb on one kind of resource, as a SelfSubjectAccessReview asks for it. */
export interface Right {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent: in every namespace, or of the whole cluster. */
  readonly namespace?: string;
  /** Only the bootstrap credential needs it, which a deployment may leave out. */
  readonly isOptional?: true;
}

const rights = (verbs: readonly string[], on: Omit<Right, 'verb'>): readonly Right[] =>
  verbs.map((verb) => ({ verb, ...on }));

/** The rights of deploy/rbac.yaml: a test compares the two. */
export const rightsOfDrover: readonly Right[] = [
  ...rights(['get', 'list', 'patch', 'delete'], { resource: 'nodes' }),
  ...rights(['list', 'delete'], { resource: 'pods' }),
  ...rights(['create'], { resource: 'pods', subresource: 'eviction' }),
  ...rights(['get'], { group: 'apps', resource: 'daemonsets' }),
  ...rights(['list'], { group: 'storage.k8s.io', resource: 'volumeattachments' }),
  ...rights(['get'], { resource: 'persistentvolumeclaims' }),
  ...rights(['create'], { resource: 'events', namespace: 'default' }),
  ...rights(['list', 'create', 'delete'], {
    resource: 'secrets',
    namespace: 'kube-system',
    isOptional: true,
  }),
];

/** `list secrets in kube-system`. */
export const textOfRight = ({ verb, group, resource, subresource, namespace }: Right): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}${namespace ? ` in ${namespace}` : ''}`;
