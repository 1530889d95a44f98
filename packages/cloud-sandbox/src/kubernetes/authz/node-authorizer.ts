import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { UserInfo } from '../registry/context.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { type Attributes, type Decision, permits } from './authorizer.ts';
import { defaultClusterRoles } from './default-roles.ts';
import { podNames } from './pod-references.ts';

type ResourceAttributes = Extract<Attributes, { readonly resource: string }>;

/** The node that the user is. Undefined if the user is not a node. Source: pkg/auth/nodeidentifier. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  const prefix = 'system:node:';
  return username.startsWith(prefix) && groups.includes('system:nodes')
    ? username.slice(prefix.length)
    : undefined;
}

const allowed: Decision = { isAllowed: true };
const refused = (reason?: string): Decision => ({
  isAllowed: false,
  ...(reason !== undefined && { reason }),
});

/**
 * What a kubelet may do: read its own Node, the pods that are bound to it and what these use, and write its Node, its
 * Lease and its pods. Undefined if the user is not a node. Source: plugin/pkg/auth/authorizer/node.
 */
export function createNodeAuthorizer(
  store: Store,
): (user: UserInfo, attributes: Attributes) => Decision | undefined {
  return (user, attributes) => {
    const nodeName = nodeNameOf(user);
    if (nodeName === undefined) return undefined;
    const judge = 'path' in attributes ? undefined : judges.get(keyOf(attributes));
    if (judge !== undefined && 'resource' in attributes) return judge(attributes, { nodeName, store });
    const rules = defaultClusterRoles['system:node'] ?? [];
    return rules.some((rule) => permits(rule, attributes)) ? allowed : refused();
  };
}

const keyOf = ({ group, resource }: ResourceAttributes): string =>
  group === '' ? resource : `${resource}.${group}`;

interface Asking {
  readonly nodeName: string;
  readonly store: Store;
}

type Judge = (attributes: ResourceAttributes, asking: Asking) => Decision;

const reads = ['get', 'list', 'watch'];

const ofNodes: Judge = ({ verb, subresource, name = '' }, { nodeName }) => {
  if (subresource === 'status' && ['update', 'patch'].includes(verb)) return allowed;
  if (subresource !== undefined) return refused();
  if (['create', 'update', 'patch'].includes(verb)) return allowed;
  if (!reads.includes(verb)) return refused();
  if (name === nodeName) return allowed;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return refused(`node '${nodeName}' cannot read ${what}, only its own Node object`);
};

const ofPods: Judge = (attributes, { nodeName, store }) => {
  const { verb, subresource, namespace, name = '', fieldSelector = '' } = attributes;
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? allowed : refused();
  if (subresource !== undefined) return refused();
  if (verb === 'create' || verb === 'delete') return allowed;
  if (!reads.includes(verb)) return refused();
  const isOfNode = fieldSelector
    .split(',')
    .some((term) => /^spec\.nodeName==?/.test(term) && term.endsWith(`=${nodeName}`));
  if (verb !== 'get' && isOfNode) return allowed;
  if (name === '') return refused('can only list/watch pods with spec.nodeName field selector');
  const pod = store.of('pods').get(namespace, name);
  return pod?.spec?.nodeName === nodeName ? allowed : refused(unrelated(nodeName));
};

/** Of Leases and CSINodes: its own. A request to create one does not name it; NodeRestriction reads the name. */
const ofOwn =
  (what: string): Judge =>
  ({ verb, name }, { nodeName }) => {
    if (!['get', 'create', 'update', 'patch', 'delete'].includes(verb))
      return refused(`can only get, create, update, patch, or delete a ${what}`);
    if (verb === 'create' || name === nodeName) return allowed;
    return refused(`can only access ${what} with the same name as the requesting node`);
  };

const ofLeases: Judge = (attributes, asking) =>
  attributes.namespace === 'kube-node-lease'
    ? ofOwn('node lease')(attributes, asking)
    : refused('can only access leases in the "kube-node-lease" system namespace');

const unrelated = (nodeName: string): string =>
  `no relationship found between node '${nodeName}' and this object`;

const podsOf = ({ store, nodeName }: Asking): readonly Stored<Pod>[] =>
  store.of('pods').find('node', nodeName);

/** Allows what pods name in their own namespace. */
const ofPodsNames =
  (kind: keyof ReturnType<typeof podNames>, verbs: readonly string[]): Judge =>
  ({ verb, subresource, namespace, name = '' }, asking) => {
    if (!verbs.includes(verb) || subresource !== undefined)
      return refused('can only read resources of this type');
    if (name === '') return refused('No Object name found');
    const isNamed = podsOf(asking).some(
      (pod) => pod.metadata.namespace === namespace && podNames(pod)[kind].includes(name),
    );
    return isNamed ? allowed : refused(unrelated(asking.nodeName));
  };

const ofVolumes: Judge = ({ verb, name = '' }, asking) => {
  const claims = podsOf(asking).flatMap((pod) =>
    podNames(pod).claims.map((claim) =>
      asking.store.of('persistentvolumeclaims').get(pod.metadata.namespace, claim),
    ),
  );
  if (verb !== 'get') return refused('can only get individual resources of this type');
  return claims.some((claim) => claim?.spec?.volumeName === name)
    ? allowed
    : refused(unrelated(asking.nodeName));
};

const ofAttachments: Judge = ({ verb, name = '' }, { store, nodeName }) => {
  if (verb !== 'get') return refused('can only get individual resources of this type');
  const found = store.of('volumeattachments.storage.k8s.io').get(undefined, name);
  return found?.spec?.nodeName === nodeName ? allowed : refused(unrelated(nodeName));
};

const ofAccounts: Judge = (attributes, asking) => {
  const { verb, subresource } = attributes;
  if (verb === 'get' && subresource === undefined)
    return ofPodsNames('accounts', ['get'])(attributes, asking);
  if (verb !== 'create' || subresource !== 'token')
    return refused('can only create tokens for individual service accounts');
  return ofPodsNames('accounts', ['create'])({ ...attributes, subresource: undefined }, asking);
};

const judges: ReadonlyMap<string, Judge> = new Map([
  ['nodes', ofNodes],
  ['pods', ofPods],
  ['leases.coordination.k8s.io', ofLeases],
  ['csinodes.storage.k8s.io', ofOwn('CSINode')],
  ['secrets', ofPodsNames('secrets', reads)],
  ['configmaps', ofPodsNames('configMaps', reads)],
  ['persistentvolumeclaims', ofPodsNames('claims', ['get'])],
  ['persistentvolumes', ofVolumes],
  ['volumeattachments.storage.k8s.io', ofAttachments],
  ['serviceaccounts', ofAccounts],
]);
