import type { PolicyRule, RoleRef, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import type { UserInfo } from '../registry/context.ts';
import type { Store } from '../store/store.ts';

/** The attributes of an action that needs authorization. */
export type Attributes =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string | undefined;
      readonly namespace?: string | undefined;
      readonly name?: string | undefined;
      /** Of a list or watch. */
      readonly fieldSelector?: string;
    }
  | { readonly verb: string; readonly path: string };

export interface Decision {
  readonly isAllowed: boolean;
  /** Which binding allows it, or why an authorizer denies it. */
  readonly reason?: string;
}

export interface Authorizer {
  isAllowed(user: UserInfo, attributes: Attributes): boolean;
  /** The same, with the reason in the words of an access review. */
  decide(user: UserInfo, attributes: Attributes): Decision;
  /** Every rule that the user has in a namespace, cluster-wide ones first. */
  rulesOf(user: UserInfo, namespace: string): readonly PolicyRule[];
}

interface Grant {
  readonly namespace: string | undefined;
  readonly bindingName: string;
  readonly roleRef: RoleRef;
  readonly subject: Subject;
}

const bindingKinds = ['clusterrolebindings', 'rolebindings', 'clusterroles', 'roles'] as const;

/** RBAC over the stored roles and bindings; system:masters may do everything. */
export function createRbacAuthorizer(store: Store): Authorizer {
  let grants: Map<string, Grant[]> | undefined;
  for (const kind of bindingKinds)
    store.of(`${kind}.rbac.authorization.k8s.io`).subscribe(() => {
      grants = undefined;
    });
  const grantsOf = (user: UserInfo): readonly Grant[] => {
    grants ??= readGrants(store);
    return subjectKeys(user).flatMap((key) => grants?.get(key) ?? []);
  };
  const rulesFor = (user: UserInfo, namespace: string | undefined): readonly PolicyRule[] =>
    grantsOf(user)
      .filter((grant) => grant.namespace === undefined || grant.namespace === namespace)
      .flatMap((grant) => rulesOfRole(store, grant));
  const decide = (user: UserInfo, attributes: Attributes): Decision => {
    if (user.groups.includes('system:masters')) return { isAllowed: true };
    const namespace = 'path' in attributes ? undefined : attributes.namespace;
    const grant = grantsOf(user).find(
      (one) =>
        (one.namespace === undefined || one.namespace === namespace) &&
        rulesOfRole(store, one).some((rule) => permits(rule, attributes)),
    );
    return grant === undefined ? { isAllowed: false } : { isAllowed: true, reason: reasonOf(grant) };
  };
  return {
    decide,
    isAllowed: (user, attributes) => decide(user, attributes).isAllowed,
    rulesOf: rulesFor,
  };
}

function subjectKeys({ username, groups }: UserInfo): readonly string[] {
  return [`User/${username}`, ...groups.map((group) => `Group/${group}`)];
}

function readGrants(store: Store): Map<string, Grant[]> {
  const grants = new Map<string, Grant[]>();
  const add = (subject: Subject, grant: Grant): void => {
    const key = keyOfSubject(subject);
    grants.set(key, [...(grants.get(key) ?? []), grant]);
  };
  const clusterRoleBindings = store.of('clusterrolebindings.rbac.authorization.k8s.io').list();
  for (const { subjects = [], roleRef, metadata } of clusterRoleBindings)
    for (const subject of subjects)
      add(subject, { namespace: undefined, bindingName: metadata.name, roleRef, subject });
  for (const { subjects = [], roleRef, metadata } of store
    .of('rolebindings.rbac.authorization.k8s.io')
    .list())
    for (const subject of subjects)
      add(subject, { namespace: metadata.namespace, bindingName: metadata.name, roleRef, subject });
  return grants;
}

/** As the RBAC authorizer says it: `RBAC: allowed by RoleBinding "r/ns" of Role "r" to ServiceAccount "bot/ns"`. */
function reasonOf({ namespace, bindingName, roleRef, subject }: Grant): string {
  const binding =
    namespace === undefined
      ? `ClusterRoleBinding "${bindingName}"`
      : `RoleBinding "${bindingName}/${namespace}"`;
  const name =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace ?? ''}` : subject.name;
  return `RBAC: allowed by ${binding} of ${roleRef.kind} "${roleRef.name}" to ${subject.kind} "${name}"`;
}

function keyOfSubject({ kind, name, namespace }: Subject): string {
  if (kind === 'ServiceAccount') return `User/system:serviceaccount:${namespace ?? ''}:${name}`;
  return `${kind}/${name}`;
}

function rulesOfRole(store: Store, { namespace, roleRef }: Grant): readonly PolicyRule[] {
  const role =
    roleRef.kind === 'ClusterRole'
      ? store.of('clusterroles.rbac.authorization.k8s.io').get(undefined, roleRef.name)
      : store.of('roles.rbac.authorization.k8s.io').get(namespace, roleRef.name);
  return role?.rules ?? [];
}

/** Whether a rule of a role allows the action. */
export function permits(rule: PolicyRule, attributes: Attributes): boolean {
  if (!covers(rule.verbs, attributes.verb)) return false;
  if ('path' in attributes)
    return (rule.nonResourceURLs ?? []).some((url) => coversPath(url, attributes.path));
  const { group, resource, subresource, name } = attributes;
  const named = subresource === undefined ? resource : `${resource}/${subresource}`;
  const resources = rule.resources ?? [];
  const anyOfSubresource = subresource !== undefined && resources.includes(`*/${subresource}`);
  return (
    covers(rule.apiGroups, group) &&
    (covers(resources, named) || anyOfSubresource) &&
    ((rule.resourceNames ?? []).length === 0 ||
      (name !== undefined && (rule.resourceNames ?? []).includes(name)))
  );
}

function covers(values: readonly string[] | undefined, wanted: string): boolean {
  return values?.includes('*') === true || values?.includes(wanted) === true;
}

function coversPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
