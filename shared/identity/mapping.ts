import { comparableArn } from './arn.ts';
import type { Identity } from './identity.ts';

/** An entry of mapRoles or mapUsers. */
export interface MappedArn {
  readonly arn: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/** The entries of one source: which IAM identity is which Kubernetes user. */
export interface Mapping {
  /** For people: where it was read. */
  readonly source?: string;
  readonly roles: readonly MappedArn[];
  readonly users: readonly MappedArn[];
  /** Accounts of which every identity gets in, with its ARN as its name and without groups. */
  readonly accounts: readonly string[];
}

/** What an identity is in the cluster, before its templates are filled in. */
export interface Match {
  readonly entry: MappedArn;
  /** Where it stands, for people: `mapRoles arn:aws:iam::123456789012:role/dev`, after the source if that has a name. */
  readonly place: string;
}

/** The first source that knows the identity decides; in a source, roles come before users, and of two entries for an ARN the last counts. Pure. */
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
      const entry = list.findLast(({ arn }) => comparableArn(arn) === wanted);
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
