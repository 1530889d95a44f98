import { signers } from '../../shared/certificates/certificate-request.ts';

/** One verb on one kind of resource, as a SelfSubjectAccessReview asks for it. */
export interface Right {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent: any name. */
  readonly name?: string;
  /** Absent: in every namespace, or of the whole cluster. */
  readonly namespace?: string;
  /** The part that alone needs it, where a deployment may leave it out. */
  readonly onlyFor?: 'the bootstrap credential' | 'certificate-requests';
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
  ...rights(['create', 'delete'], {
    resource: 'secrets',
    namespace: 'kube-system',
    onlyFor: 'the bootstrap credential',
  }),
  ...certificateRights(),
  ...rights(['list'], { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }),
  ...rights(['list'], { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' }),
];

function certificateRights(): readonly Right[] {
  const group = 'certificates.k8s.io';
  const onlyFor = 'certificate-requests';
  return [
    ...rights(['list'], { group, resource: 'certificatesigningrequests', onlyFor }),
    ...rights(['patch'], {
      group,
      resource: 'certificatesigningrequests',
      subresource: 'approval',
      onlyFor,
    }),
    ...Object.values(signers).flatMap((name) =>
      rights(['approve'], { group, resource: 'signers', name, onlyFor }),
    ),
  ];
}

/** `list secrets in kube-system`. */
export const textOfRight = ({ verb, group, resource, subresource, name, namespace }: Right): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
