import type { Secret } from 'kubernetes-types/core/v1.d.ts';
import type { Context, UserInfo } from '../registry/context.ts';
import type { Stored } from '../store/object.ts';

const group = 'system:bootstrappers';
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * A bootstrap token `id.secret`, held against its Secret in kube-system: type, name, both parts, expiration (absent: never;
 * unparsable: expired), usage, groups (one bad group refuses the token). Source: the bootstrap token authenticator.
 */
export function authenticateBootstrapToken({ store, clock }: Context, token: string): UserInfo | undefined {
  const parts = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token);
  const id = parts?.[1];
  if (id === undefined) return undefined;
  const secret = store.of('secrets').get('kube-system', `bootstrap-token-${id}`);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return undefined;
  if (secret.type !== 'bootstrap.kubernetes.io/token') return undefined;
  if (read(secret, 'token-id') !== id || read(secret, 'token-secret') !== parts?.[2]) return undefined;
  if (isExpired(secret, clock.now()) || read(secret, 'usage-bootstrap-authentication') !== 'true')
    return undefined;
  const groups = groupsOf(secret);
  return groups === undefined ? undefined : { username: `system:bootstrap:${id}`, groups };
}

function read({ data }: Stored<Secret>, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString();
}

/** RFC 3339 only: what Date.parse would also take for a time is none here. */
export function isExpired(secret: Stored<Secret>, now: number): boolean {
  const expiration = read(secret, 'expiration');
  if (expiration === '') return false;
  const wellFormed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration);
  const at = wellFormed ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(at) || at < now;
}

function groupsOf(secret: Stored<Secret>): readonly string[] | undefined {
  const extra = read(secret, 'auth-extra-groups');
  const groups = extra === '' ? [] : extra.split(',');
  return groups.every((name) => extraGroup.test(name)) ? [group, ...new Set(groups)].sort() : undefined;
}
