import { signers } from '../../shared/certificates/certificate-request.ts';

/** One verb on one kind of resource, as a SelfSubjectAccessReview asks for it. */
export interface Right {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Defaults to any name. */
  readonly name?: string;
  /** Undefined for every namespace, or for a resource of the whole cluster. */
  readonly namespace?: string;
  /** The only part that needs it, if a deployment may leave that part out. */
  readonly onlyFor?:
    | 'the bootstrap credential'
    | 'certificate-requests'
    | 'token-webhook'
    | 'holds for pods'
    | 'rolls'
    | 'drover doctor';
}

/** What an identity in the cluster is for. One identity may serve every need. */
export type Need = 'node-leaving' | 'reader' | 'credentials' | 'certificates' | 'planner' | 'roller';

const rights = (verbs: readonly string[], on: Omit<Right, 'verb'>): readonly Right[] =>
  verbs.map((verb) => ({ verb, ...on }));

const secrets = { resource: 'secrets', namespace: 'kube-system' } as const;

/** The rights of deploy/rbac.yaml: a test compares the two. */
export const rightsByNeed: Readonly<Record<Need, readonly Right[]>> = {
  'node-leaving': [
    ...rights(['get', 'list', 'patch', 'delete'], { resource: 'nodes' }),
    ...rights(['list', 'delete'], { resource: 'pods' }),
    ...rights(['create'], { resource: 'pods', subresource: 'eviction' }),
    ...rights(['patch'], { resource: 'pods', subresource: 'status' }),
    ...rights(['get'], { group: 'apps', resource: 'daemonsets' }),
    ...rights(['list'], { group: 'storage.k8s.io', resource: 'volumeattachments' }),
    ...rights(['get'], { resource: 'persistentvolumeclaims' }),
    ...rights(['create'], { resource: 'events', namespace: 'default' }),
    // The rights of drover doctor, which reads with this identity.
    ...rights(['list'], { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }),
    ...rights(['list'], { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' }),
    ...rights(['list'], { group: 'apps', resource: 'deployments', onlyFor: 'drover doctor' }),
  ],
  reader: [
    ...rights(['list'], { resource: 'nodes' }),
    ...rights(['get'], {
      resource: 'configmaps',
      name: 'aws-auth',
      namespace: 'kube-system',
      onlyFor: 'token-webhook',
    }),
  ],
  credentials: rights(['create', 'delete'], { ...secrets, onlyFor: 'the bootstrap credential' }),
  certificates: certificateRights(),
  planner: plannerRights(),
  roller: rollerRights(),
};

/** Drover reads no Secret. In kube-system they may hold the tokens of ServiceAccounts. */
const readsOfSecrets = rights(['get', 'list', 'watch'], secrets);

function certificateRights(): readonly Right[] {
  const group = 'certificates.k8s.io';
  const onlyFor = 'certificate-requests';
  return [
    ...rights(['get'], { resource: 'nodes', onlyFor }),
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

function plannerRights(): readonly Right[] {
  const onlyFor = 'holds for pods';
  const core = ['nodes', 'pods', 'namespaces', 'persistentvolumes', 'persistentvolumeclaims'];
  const storage = ['storageclasses', 'csinodes', 'volumeattachments'];
  return [
    ...core.map((resource) => ({ verb: 'list', resource, onlyFor }) as const),
    { verb: 'list', group: 'apps', resource: 'daemonsets', onlyFor },
    ...storage.map((resource) => ({ verb: 'list', group: 'storage.k8s.io', resource, onlyFor }) as const),
  ];
}

function rollerRights(): readonly Right[] {
  const onlyFor = 'rolls';
  return [
    ...rights(['list', 'patch'], { resource: 'nodes', onlyFor }),
    ...rights(['list'], { resource: 'pods', onlyFor }),
    ...rights(['list'], { group: 'policy', resource: 'poddisruptionbudgets', onlyFor }),
  ];
}

/** `list secrets in kube-system`. */
export const textOfRight = ({ verb, group, resource, subresource, name, namespace }: Right): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;

/** The first of each: that of a part which every deployment has. */
const distinct = (all: readonly Right[]): readonly Right[] => {
  const texts = all.map(textOfRight);
  return all.filter((right, index) => texts.indexOf(textOfRight(right)) === index);
};

/** Servers before Kubernetes 1.18 have no signers, and take an approval as an update only. */
const withoutSigners = (all: readonly Right[]): readonly Right[] =>
  all
    .filter(({ resource }) => resource !== 'signers')
    .map((right) => (right.subresource === 'approval' ? { ...right, verb: 'update' } : right));

/** The rights that an identity for these needs must have on this API server, and those that it should not have. */
export function rightsFor(
  needs: readonly Need[],
  { hasSigners = true }: { readonly hasSigners?: boolean } = {},
): {
  readonly needed: readonly Right[];
  readonly excess: readonly Right[];
} {
  const onServer = hasSigners ? distinct : (all: readonly Right[]) => distinct(withoutSigners(all));
  const needed = onServer(needs.flatMap((need) => rightsByNeed[need]));
  const names = new Set(needed.map(textOfRight));
  // Listing volumes and budgets is little beside evicting pods, and the flags of the doctor may not say that holds ask for pods, or of rolls.
  const known = Object.entries(rightsByNeed).filter(
    ([need]) => !['planner', 'roller'].includes(need) || !needs.includes('node-leaving'),
  );
  const others = onServer([...known.flatMap(([, own]) => own), ...readsOfSecrets]);
  return { needed, excess: others.filter((right) => !names.has(textOfRight(right))) };
}
