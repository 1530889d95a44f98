import { failure, type StatusError } from '../api/status-error.ts';
import type { Attributes, Authorizer } from '../authz/authorizer.ts';
import type { UserInfo } from '../registry/context.ts';

interface Asking {
  readonly user: UserInfo;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorizer: Authorizer;
}

type Wanted = Extract<Attributes, { readonly resource: string }> & { readonly name: string };

/**
 * The user of the request after its Impersonate- headers are applied. Source: kubernetes.io, Authenticating, "User impersonation".
 *
 * @throws StatusError 403 if the calling user may not impersonate, 500 for a group without a user
 */
export function impersonated({ user, headers, authorizer }: Asking): UserInfo {
  const username = headers['impersonate-user'] ?? '';
  const groups = listOf(headers['impersonate-group']);
  const uid = headers['impersonate-uid'] ?? '';
  const extra = extraOf(headers);
  const isAsked = groups.length > 0 || uid !== '' || Object.keys(extra).length > 0;
  if (username === '' && isAsked) throw withoutUser(groups);
  if (username === '') return user;
  for (const wanted of wantedOf({ username, groups, uid, extra }))
    if (!authorizer.isAllowed(user, wanted)) throw mayNot(user, wanted);
  return {
    username,
    ...(uid !== '' && { uid }),
    groups: groupsOf(username, groups),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const listOf = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const extraPrefix = 'impersonate-extra-';

function extraOf(headers: Asking['headers']): Readonly<Record<string, readonly string[]>> {
  const found = Object.entries(headers).filter(([name]) => name.startsWith(extraPrefix));
  return Object.fromEntries(
    found.map(([name, value]) => [unescaped(name.slice(extraPrefix.length)), listOf(value)]),
  );
}

/** `acme.com%2fproject`; what is not well escaped is taken as it is. */
const unescaped = (text: string): string =>
  /%(?![0-9a-f]{2})/i.test(text)
    ? text
    : (new URLSearchParams(`name=${text.replaceAll('+', '%2B')}`).get('name') ?? text);

const accountPrefix = 'system:serviceaccount:';

interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

function serviceAccountOf(username: string): ServiceAccount | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace, name, ...more] = username.slice(accountPrefix.length).split(':');
  return namespace === undefined || name === undefined || more.length > 0 ? undefined : { namespace, name };
}

function wantedOf({ username, groups, uid = '', extra = {} }: UserInfo): readonly Wanted[] {
  const impersonate = { verb: 'impersonate', group: '' };
  const account = serviceAccountOf(username);
  const subject: Wanted =
    account === undefined
      ? { ...impersonate, resource: 'users', name: username }
      : { ...impersonate, resource: 'serviceaccounts', ...account };
  const others = { verb: 'impersonate', group: 'authentication.k8s.io' };
  return [
    subject,
    ...groups.map((name) => ({ ...impersonate, resource: 'groups', name })),
    ...(uid === '' ? [] : [{ ...others, resource: 'uids', name: uid }]),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...others, resource: 'userextras', subresource, name })),
    ),
  ];
}

/** The groups that the server adds: those of a service account, and the group of authenticated or anonymous users. */
function groupsOf(username: string, groups: readonly string[]): readonly string[] {
  const account = serviceAccountOf(username);
  const own =
    account !== undefined && groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]
      : groups;
  const isSaid = own.includes('system:authenticated') || own.includes('system:unauthenticated');
  if (isSaid) return own;
  return [...own, username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'];
}

function mayNot(
  { username }: UserInfo,
  { group, resource, subresource, namespace, name }: Wanted,
): StatusError {
  const subject = group === '' ? resource : `${resource}.${group}`;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} "${name}" is forbidden: User "${username}" cannot impersonate resource "${full}" in API group "${group}" ${scope}`,
    resource: { group, plural: resource },
    name,
  });
}

function withoutUser(groups: readonly string[]): StatusError {
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal Server Error: requested [${groups.join(' ')}] without impersonating a user`,
  });
}
