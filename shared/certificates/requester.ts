import { instanceIdSource } from '../base/instance-id.ts';
import type { Role } from '../groups/group.ts';
import { type CertificateRequest, nodeNameOf } from './certificate-request.ts';

/**
 * What the credential of a request proves:
 * - `node`: it is the certificate of this node;
 * - `token`: it is a bootstrap credential that all instances of these roles share;
 * - `instance`: it is the credential of this one instance.
 */
export type Requester =
  | { readonly kind: 'node'; readonly nodeName: string }
  | { readonly kind: 'token'; readonly roles: readonly Role[] }
  | { readonly kind: 'instance'; readonly instanceId: string; readonly roles: readonly Role[] };

/** What identifies the instance in `spec.extra` (an IAM or JWT identity). */
export const instanceIdExtra = 'drover.dev/instance-id';

const roleGroupPattern = /^system:bootstrappers:drover:(worker|control-plane|etcd)$/;
const tokenUserPattern = /^system:bootstrap:[a-z0-9]{6}$/;
const instanceUserPattern = new RegExp(`^drover:instance:(${instanceIdSource})$`);

type RequesterFields = Pick<CertificateRequest, 'username' | 'groups' | 'extra'>;

/** Undefined for a user that Drover does not judge. */
export function requesterOf({ username, groups, extra }: RequesterFields): Requester | undefined {
  const nodeName = nodeNameOf(username);
  if (nodeName !== undefined) return groups.includes('system:nodes') ? { kind: 'node', nodeName } : undefined;
  const roles = rolesOf(groups);
  if (roles.length === 0) return undefined;
  if (tokenUserPattern.test(username))
    return groups.includes('system:bootstrappers') ? { kind: 'token', roles } : undefined;
  const instanceId = instanceUserPattern.exec(username)?.[1];
  const claimed = extra[instanceIdExtra] ?? [];
  return instanceId !== undefined && claimed.length === 1 && claimed[0] === instanceId
    ? { kind: 'instance', instanceId, roles }
    : undefined;
}

const rolesOf = (groups: readonly string[]): readonly Role[] =>
  groups.flatMap((group) => (roleGroupPattern.exec(group)?.[1] as Role | undefined) ?? []);
