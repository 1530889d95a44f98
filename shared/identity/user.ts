import { findMatch, type MappedArn, type Mapping } from './mapping.ts';
import type { Identity } from './sts-answer.ts';

/** A Kubernetes user (TokenReview, status.user). */
export interface KubernetesUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The instance that an identity claims to be, as EC2 and IAM describe it; undefined if no such instance runs with its role. */
export type InstanceOfIdentity =
  | {
      readonly isRunning: boolean;
      readonly privateDnsName: string | undefined;
      /** The ARN of the role of its instance profile; undefined if it has none. */
      readonly roleArn: string | undefined;
    }
  | undefined;

/**
 * - `user`: the user in the cluster, and the place of the entry that maps it;
 * - `unmapped`: no entry names the ARN, or the templates of the entry cannot be filled in;
 * - `needs-instance`: the entry is for nodes, so the instance with that id has to be looked up first.
 */
export type UserVerdict =
  | { readonly kind: 'user'; readonly user: KubernetesUser; readonly place: string }
  | { readonly kind: 'unmapped'; readonly reason: string }
  | { readonly kind: 'needs-instance'; readonly instanceId: string };

export interface UserFacts {
  readonly identity: Identity;
  /** The first source that knows the identity decides. */
  readonly sources: readonly Mapping[];
  /** Undefined if the instance was not looked up yet. */
  readonly looked?: { readonly instance: InstanceOfIdentity };
}

/** The user of an identity in the cluster. Pure. */
export function userOf(facts: UserFacts): UserVerdict {
  const { identity, sources } = facts;
  const match = findMatch(identity, sources);
  if (match === undefined) return unmapped('no entry of the mapping names its ARN');
  const { username, groups } = match.entry;
  const isNode = isNodeEntry(match.entry);
  const node = isNode ? nodeOf(facts) : { kind: 'node' as const, privateDnsName: undefined };
  if (node.kind !== 'node') return node;
  const filled = [username, ...groups].map((text) => fillTemplate(text, identity, node.privateDnsName));
  const refusal = filled.find((one) => one.kind === 'refused');
  if (refusal) return unmapped(refusal.reason);
  const texts = filled.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  const completed = isNode
    ? undefined
    : texts.find((text, place) => isCompletedToReserved(text, [username, ...groups][place] ?? ''));
  if (completed !== undefined)
    return unmapped(
      `the templates of its entry result in ${completed}, a name that is reserved for Kubernetes or Drover`,
    );
  const [name = '', ...names] = texts;
  return { kind: 'user', user: toUser(identity, name, { groups: names, isNode }), place: match.place };
}

/** Whether an entry gives its identities the name or the group of a node. */
export const isNodeEntry = ({ username, groups }: Pick<MappedArn, 'username' | 'groups'>): boolean =>
  [username, ...groups].some(makesNode);

/** Only nodes get the rights of a node. */
const makesNode = (text: string): boolean =>
  namesInstance(text) || text.startsWith('system:node:') || text === 'system:nodes';

/**
 * The caller chooses the name of its session: with `system:{{SessionName}}`, a session `masters` would be an administrator. The session of a node
 * is the id of its instance.
 */
function isCompletedToReserved(text: string, written: string): boolean {
  if (text === written) return false;
  return (
    /^(?:system|kubeadm):/.test(text) ||
    (/^drover(?::|$)/.test(text) && !written.startsWith('drover:instance:'))
  );
}

const unmapped = (reason: string): UserVerdict => ({ kind: 'unmapped', reason });

type NodeVerdict = UserVerdict | { readonly kind: 'node'; readonly privateDnsName: string | undefined };

/**
 * A node has to be a running instance with the role in its own profile. A principal that may assume the role can choose any session name, so the
 * trust policy of the role must name only EC2: `drover doctor` checks that.
 */
function nodeOf({ identity: { sessionName, canonicalArn }, looked }: UserFacts): NodeVerdict {
  if (!sessionInstancePattern.test(sessionName))
    return unmapped('its session name is not the id of an instance');
  if (looked === undefined) return { kind: 'needs-instance', instanceId: sessionName };
  const { instance } = looked;
  if (!instance?.isRunning)
    return unmapped(`no running instance ${sessionName} has its role in its instance profile`);
  if (instance.roleArn === undefined || roleNameOf(instance.roleArn) !== roleNameOf(canonicalArn))
    return unmapped(`the instance profile of instance ${sessionName} has another role`);
  return { kind: 'node', privateDnsName: instance.privateDnsName };
}

/** `123456789012:NAME`: the name of a role is unique in its account, whatever its path is. */
export const roleNameOf = (arn: string): string =>
  arn.replace(/^arn:[^:]*:iam::(\d+):role\/(?:.*\/)?([^/]+)$/, '$1:$2');

/** The uid and the extra fields match aws-iam-authenticator, so that existing audit rules still work. */
function toUser(
  { accountId, principalId, arn, canonicalArn, sessionName, accessKeyId }: Identity,
  username: string,
  { groups, isNode }: { readonly groups: readonly string[]; readonly isNode: boolean },
): KubernetesUser {
  return {
    username,
    uid: `aws-iam-authenticator:${accountId}:${principalId}`,
    groups,
    extra: {
      arn: [arn],
      canonicalArn: [canonicalArn],
      sessionName: [sessionName],
      accessKeyId: [accessKeyId],
      principalId: [principalId],
      'sigs.k8s.io/aws-iam-authenticator/principalId': [principalId],
      ...(isNode && { 'drover.dev/instance-id': [sessionName] }),
    },
  };
}

/** The session name of the credentials of an instance is its id. */
export const sessionInstancePattern = /^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

const template = /\{\{\s*(\w+)\s*\}\}/g;

/** Whether the text names a node, by the private DNS name of the instance. */
export const namesInstance = (text: string): boolean => /\{\{\s*EC2PrivateDNSName\s*\}\}/.test(text);

export type Filled =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Fills in the templates of aws-iam-authenticator (pkg/server, pkg/config): `{{EC2PrivateDNSName}}`, `{{SessionName}}` with `-` for `@`,
 * `{{SessionNameRaw}}`, `{{AccountID}}` and `{{AccessKeyID}}`. An unknown name, or a name without a value, is refused.
 */
export function fillTemplate(
  text: string,
  identity: Pick<Identity, 'sessionName' | 'accountId' | 'accessKeyId'>,
  privateDnsName: string | undefined,
): Filled {
  const values: Readonly<Record<string, string | undefined>> = {
    EC2PrivateDNSName: privateDnsName,
    SessionName: identity.sessionName.replaceAll('@', '-'),
    SessionNameRaw: identity.sessionName,
    AccountID: identity.accountId,
    AccessKeyID: identity.accessKeyId,
  };
  const unfilled = [...text.matchAll(template)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(values, name) || !values[name]);
  if (unfilled !== undefined)
    return { kind: 'refused', reason: `its entry uses ${unfilled}, which this identity does not have` };
  const filled = text.replaceAll(template, (_, name: string) => values[name] ?? '');
  return /\{\{|\}\}/.test(filled)
    ? { kind: 'refused', reason: 'its entry has a template that cannot be parsed' }
    : { kind: 'text', text: filled };
}
