import type { Identity } from './identity.ts';
import { findMatch, type MappedArn, type Mapping } from './mapping.ts';
import { fillTemplate, namesInstance, sessionInstancePattern } from './templates.ts';

/** A user as Kubernetes knows one (TokenReview, status.user). */
export interface KubernetesUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** An instance that an identity says to be, as EC2 and IAM know it; undefined: EC2 knows no such instance. */
export type InstanceOfIdentity =
  | {
      readonly isRunning: boolean;
      readonly privateDnsName: string | undefined;
      /** The ARN of the role of its instance profile; undefined where it has none. */
      readonly roleArn: string | undefined;
    }
  | undefined;

/**
 * - `user`: who it is in the cluster, and where the entry stands that says so;
 * - `unmapped`: no entry names its ARN, or the one that does cannot be filled in;
 * - `needs-instance`: it is asked to be a node, so the instance of that id has to be looked up first.
 */
export type UserVerdict =
  | { readonly kind: 'user'; readonly user: KubernetesUser; readonly place: string }
  | { readonly kind: 'unmapped'; readonly reason: string }
  | { readonly kind: 'needs-instance'; readonly instanceId: string };

export interface UserFacts {
  readonly identity: Identity;
  /** The first that knows the identity decides. */
  readonly sources: readonly Mapping[];
  /** Absent: not looked up yet. */
  readonly looked?: { readonly instance: InstanceOfIdentity };
}

/** Who an identity is in the cluster. Pure. */
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
    : texts.find((text, place) => text !== [username, ...groups][place] && isReserved(text));
  if (completed !== undefined)
    return unmapped(`the templates of its entry make ${completed}, a name of Kubernetes itself`);
  const [name = '', ...names] = texts;
  return { kind: 'user', user: toUser(identity, name, { groups: names, isNode }), place: match.place };
}

/** Whether an entry gives its identities the name or the group of a node. */
export const isNodeEntry = ({ username, groups }: Pick<MappedArn, 'username' | 'groups'>): boolean =>
  [username, ...groups].some(makesNode);

/** Rights of a node are given to nothing that is not one. */
const makesNode = (text: string): boolean =>
  namesInstance(text) || text.startsWith('system:node:') || text === 'system:nodes';

/**
 * A session has the name that its person chose: `masters` would make an administrator of `system:{{SessionName}}`. That of a node is the id of
 * its instance.
 */
const isReserved = (text: string): boolean => /^(?:system|kubeadm):/.test(text);

const unmapped = (reason: string): UserVerdict => ({ kind: 'unmapped', reason });

type NodeVerdict = UserVerdict | { readonly kind: 'node'; readonly privateDnsName: string | undefined };

/**
 * A node has to be a running instance with the role in its own profile. Who may assume the role can choose any session name, so the role's trust
 * policy has to name EC2 alone: `drover doctor` checks that.
 */
function nodeOf({ identity: { sessionName, canonicalArn }, looked }: UserFacts): NodeVerdict {
  if (!sessionInstancePattern.test(sessionName)) return unmapped('its session is not that of an instance');
  if (looked === undefined) return { kind: 'needs-instance', instanceId: sessionName };
  const { instance } = looked;
  if (!instance?.isRunning) return unmapped(`instance ${sessionName} does not run`);
  if (instance.roleArn === undefined || roleNameOf(instance.roleArn) !== roleNameOf(canonicalArn))
    return unmapped(`the instance profile of instance ${sessionName} has another role`);
  return { kind: 'node', privateDnsName: instance.privateDnsName };
}

/** `123456789012:NAME`: the name of a role is unique in its account, whatever its path. */
const roleNameOf = (arn: string): string =>
  arn.replace(/^arn:[^:]*:iam::(\d+):role\/(?:.*\/)?([^/]+)$/, '$1:$2');

/** The uid and the extra fields are those of aws-iam-authenticator, so that audit rules go on working. */
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
