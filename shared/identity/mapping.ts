import { comparableArn } from './arn.ts';
import type { Identity } from './sts-answer.ts';

/** An entry of mapRoles or mapUsers. */
export interface MappedArn {
  readonly arn: string;
  /** The role of a permission set of IAM Identity Center: `*` at the end of the ARN is the suffix, which is new each time the role is made. */
  readonly isPermissionSet?: true;
  readonly username: string;
  readonly groups: readonly string[];
}

/** The entries of one source, which map IAM identities to Kubernetes users. */
export interface Mapping {
  /** Where the mapping was read, for the log. */
  readonly source?: string;
  readonly roles: readonly MappedArn[];
  readonly users: readonly MappedArn[];
  /** Accounts whose identities are all admitted, with their ARN as name and without groups. */
  readonly accounts: readonly string[];
}

/** The entry that matches an identity, before its templates are filled in. */
export interface Match {
  readonly entry: MappedArn;
  /** The place of the entry, for the log: `mapRoles arn:aws:iam::123456789012:role/dev`, after the name of the source if it has one. */
  readonly place: string;
}

/** Identity Center names the role `AWSReservedSSO_NAME_SUFFIX`, with 16 hexadecimal digits (its user guide, "Referencing permission sets"). */
function names({ arn, isPermissionSet }: MappedArn, wanted: string): boolean {
  const own = comparableArn(arn);
  if (isPermissionSet !== true) return own === wanted;
  const start = own.slice(0, -1);
  return wanted.startsWith(start) && /^[0-9a-f]{16}$/.test(wanted.slice(start.length));
}

/**
 * Finds the entry of an identity. The first source that knows the identity decides. In a source, roles take precedence over users, and the last
 * entry for an ARN counts. Pure.
 */
export function findMatch(
  { canonicalArn, accountId }: Identity,
  sources: readonly Mapping[],
): Match | undefined {
  const wanted = comparableArn(canonicalArn);
  for (const { source, roles, users, accounts } of sources) {
    const at = (place: string): string => (source === undefined ? place : `${source} ${place}`);
    for (const [list, name] of [
      [roles, 'mapRoles'],
      [users, 'mapUsers'],
    ] as const) {
      const entry = list.findLast((one) => names(one, wanted));
      if (entry) return { entry, place: at(`${name} ${entry.arn}`) };
    }
    if (accounts.includes(accountId))
      return {
        entry: { arn: canonicalArn, username: canonicalArn, groups: [] },
        place: at(`mapAccounts ${accountId}`),
      };
  }
  return undefined;
}
