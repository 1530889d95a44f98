import { readCallerArn } from './arn.ts';
import type { MappedArn, Mapping } from './mapping.ts';

/** A mapping, and why entries of its documents are left out. */
export interface MappingReading {
  readonly mapping: Mapping;
  /** One for each entry that is left out, with its place: `mapRoles[2]: groups is no list of texts`. */
  readonly problems: readonly string[];
}

/** The documents, each a list as YAML or JSON gives it; absent ones are empty. */
export interface MappingDocuments {
  readonly mapRoles?: unknown;
  readonly mapUsers?: unknown;
  readonly mapAccounts?: unknown;
}

/** The groups that are bound to `cluster-admin` without anybody's doing: that of Kubernetes, and that of kubeadm from 1.29 on. */
const administrators: ReadonlySet<string> = new Set(['system:masters', 'kubeadm:cluster-admins']);

/**
 * What the entries of a source may give: `nodes-at-most` refuses the groups of administrators, and names that begin with `system:` and are those of no node. So whoever
 * may write a ConfigMap cannot make anybody an administrator.
 */
export type MappingTrust = 'all' | 'nodes-at-most';

/**
 * Reads the mapping of a source, entry by entry: a bad one is left out, and named. A username that YAML reads as a number is refused, where
 * aws-iam-authenticator lets its person in without a name. Pure.
 */
export function readMapping(documents: MappingDocuments, trust: MappingTrust): MappingReading {
  const problems: string[] = [];
  const entriesOf = (name: keyof MappingDocuments): readonly (readonly [place: string, entry: unknown])[] => {
    const list = documents[name] ?? [];
    if (Array.isArray(list)) return list.map((entry, index) => [`${name}[${index}]`, entry] as const);
    problems.push(`${name} is no list`);
    return [];
  };
  const arnsOf = (name: 'mapRoles' | 'mapUsers', key: 'rolearn' | 'userarn') =>
    entriesOf(name).flatMap(([place, entry]) => {
      const read = readEntry(entry, { key, trust });
      if (typeof read !== 'string') return [read];
      problems.push(`${place}: ${read}`);
      return [];
    });
  const roles = arnsOf('mapRoles', 'rolearn');
  const users = arnsOf('mapUsers', 'userarn');
  const accounts = entriesOf('mapAccounts').flatMap(([place, entry]) => {
    if (typeof entry === 'string' && /^\d{12}$/.test(entry)) return [entry];
    problems.push(`${place} is no text of twelve digits: write it in quotes`);
    return [];
  });
  return { mapping: { roles, users, accounts }, problems };
}

/** The entry, or what is wrong with it. */
function readEntry(
  entry: unknown,
  { key, trust }: { readonly key: 'rolearn' | 'userarn'; readonly trust: MappingTrust },
): MappedArn | string {
  if (typeof entry !== 'object' || entry === null) return 'it is no map';
  const { [key]: arn, username = '', groups = [] } = entry as Readonly<Record<string, unknown>>;
  if (typeof arn !== 'string' || !isMappable(arn, key)) return `${key} is no ARN of a ${key.slice(0, 4)}`;
  if (typeof username !== 'string') return 'username is no text: write it in quotes';
  if (username === '') return 'username is missing';
  const names: unknown = groups ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && name !== ''))
    return 'groups is no list of texts';
  if (trust === 'nodes-at-most') {
    const group = names.find((name) => administrators.has(name));
    if (group !== undefined) return `the group ${group} may not be given here`;
    if (/^system:(?!node:)/.test(username))
      return 'a username that begins with system: may not be given here';
  }
  return { arn, username, groups: names };
}

/** Exact ARNs only: neither a prefix nor a wildcard, which a name of another's role could meet. */
function isMappable(arn: string, key: 'rolearn' | 'userarn'): boolean {
  if (arn.includes('*') || readCallerArn(arn) === undefined) return false;
  return key === 'rolearn' ? /:role\//.test(arn) : !/:(?:role|assumed-role)\//.test(arn);
}
