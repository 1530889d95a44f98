import { comparableArn, readCallerArn } from './arn.ts';
import type { MappedArn, Mapping } from './mapping.ts';
import { type MappingDocuments, UnreadEntryError } from './parse-mapping.ts';
import { isNodeEntry } from './user.ts';

/** A mapping, and why entries of its documents were left out. */
export interface MappingReading {
  readonly mapping: Mapping;
  /** One problem for each entry that was left out, with its place: `mapRoles[2]: groups is not a list of strings`. */
  readonly problems: readonly string[];
}

/**
 * What the entries of a source may grant. `nodes-at-most` refuses the names and groups of Kubernetes, of kubeadm and of Drover, except those
 * of nodes under the name of their own instance. So the right to write a ConfigMap is not enough to become an administrator, Drover, or
 * another node.
 */
export type MappingTrust = 'all' | 'nodes-at-most';

/** The groups that nodes have in aws-auth (EKS user guide, "aws-auth ConfigMap"; the third one is that of Fargate). */
const nodeGroups: ReadonlySet<string> = new Set([
  'system:nodes',
  'system:bootstrappers',
  'system:node-proxier',
]);

/** A name that the instance of the caller fills in completely. */
const ownNodeName = /^system:node:\{\{\s*(?:EC2PrivateDNSName|SessionName|SessionNameRaw)\s*\}\}$/;

/** Names that Kubernetes, kubeadm (`kubeadm:cluster-admins`) or Drover (deploy/rbac.yaml) bind to rights. */
const isReserved = (name: string): boolean => /^\s*(?:system:|kubeadm:|drover)/i.test(name);

/** Why a source with `nodes-at-most` may not have the entry. */
function limitedRefusal({ username, groups }: Pick<MappedArn, 'username' | 'groups'>): string | undefined {
  const isNode = ownNodeName.test(username);
  if (!isNode && isReserved(username))
    return username.startsWith('system:node:')
      ? 'the name of a node is allowed here only as system:node:{{EC2PrivateDNSName}} or system:node:{{SessionName}}'
      : `a username that begins with ${/^\s*(?:\w+:|drover)/.exec(username)?.[0].trim()} is not allowed here`;
  const group = groups.find((name) => isReserved(name) && !(isNode && nodeGroups.has(name)));
  if (group === undefined) return undefined;
  return nodeGroups.has(group)
    ? `the group ${group} is allowed here only with the username system:node:{{EC2PrivateDNSName}} or system:node:{{SessionName}}`
    : `the group ${group} is not allowed here`;
}

/**
 * Reads the mapping of a source entry by entry. A bad entry is left out and reported. A username that YAML reads as a number is refused, although
 * aws-iam-authenticator admits such a user without a name. Pure.
 */
export function readMapping(documents: MappingDocuments, trust: MappingTrust): MappingReading {
  const problems: string[] = [];
  const entriesOf = (name: keyof MappingDocuments): readonly (readonly [place: string, entry: unknown])[] => {
    const list = documents[name] ?? [];
    if (Array.isArray(list)) return list.map((entry, index) => [`${name}[${index}]`, entry] as const);
    problems.push(`${name} is not a list`);
    return [];
  };
  const arnsOf = (name: 'mapRoles' | 'mapUsers', key: ArnKey) => {
    const read = entriesOf(name).flatMap(([place, entry]) => {
      const result = readEntry(entry, { key, trust });
      if (typeof result !== 'string') return [{ place, entry: result }];
      problems.push(`${place}: ${result}`);
      return [];
    });
    problems.push(...repeated(read));
    return read.map(({ entry }) => entry);
  };
  const roles = arnsOf('mapRoles', 'rolearn');
  const users = arnsOf('mapUsers', 'userarn');
  const accounts = entriesOf('mapAccounts').flatMap(([place, entry]) => {
    const account = accountText(entry);
    if (account !== undefined) return [account];
    problems.push(`${place} is not a string of twelve digits: write it in quotes`);
    return [];
  });
  return { mapping: { roles, users, accounts }, problems };
}

type ArnKey = 'rolearn' | 'userarn';

/** The last entry for an ARN counts, which an operator who edits the first one does not expect. */
function repeated(read: readonly { readonly place: string; readonly entry: MappedArn }[]): readonly string[] {
  const last = new Map(read.map(({ place, entry }) => [comparableArn(entry.arn), place]));
  return read.flatMap(({ place, entry }) => {
    const counts = last.get(comparableArn(entry.arn));
    return counts === place ? [] : [`${place}: ${counts} has the same ARN, and the last one counts`];
  });
}

/** YAML reads digits without quotes as a number, and loses leading zeros. */
function accountText(account: unknown): string | undefined {
  const text = typeof account === 'number' ? String(account) : account;
  return typeof text === 'string' && /^\d{12}$/.test(text) ? text : undefined;
}

/** The fields by their names in lower case: aws-iam-authenticator reads `roleARN` as `rolearn`. Or the name that is there twice. */
function fieldsOf(entry: object): Readonly<Record<string, unknown>> | string {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(entry)) {
    const name = key.toLowerCase();
    if (name in fields) return `the key ${name} is there twice, in another case`;
    fields[name] = value;
  }
  return fields;
}

/** The entry, or what is wrong with it. */
function readEntry(
  entry: unknown,
  { key, trust }: { readonly key: ArnKey; readonly trust: MappingTrust },
): MappedArn | string {
  if (entry instanceof UnreadEntryError) return entry.message;
  if (typeof entry !== 'object' || entry === null) return 'it is not a map';
  const fields = fieldsOf(entry);
  if (typeof fields === 'string') return fields;
  const subject = fields['sso'] === undefined ? readArn(fields[key], key) : readPermissionSet(fields, key);
  if (typeof subject === 'string') return subject;
  const username = fields['username'] ?? '';
  if (typeof username !== 'string') return 'username is not a string: write it in quotes';
  if (username === '') return 'username is missing';
  const groups: unknown = fields['groups'] ?? [];
  if (!Array.isArray(groups) || !groups.every((name) => typeof name === 'string' && name !== ''))
    return 'groups is not a list of strings';
  const refusal = trust === 'nodes-at-most' ? limitedRefusal({ username, groups }) : undefined;
  if (refusal !== undefined) return refusal;
  if (subject.isPermissionSet && isNodeEntry({ username, groups }))
    return 'sso is for users: no instance has the role of a permission set';
  return { ...subject, username, groups };
}

type Subject = Pick<MappedArn, 'arn' | 'isPermissionSet'>;

function readArn(arn: unknown, key: ArnKey): Subject | string {
  if (arn === undefined || arn === null) return `${key} is missing`;
  return typeof arn === 'string' && isMappable(arn, key)
    ? { arn }
    : `${key} is not the ARN of a ${key.slice(0, 4)}`;
}

/** `sso`, as aws-iam-authenticator reads it: the role of a permission set of IAM Identity Center, whatever its suffix is. */
function readPermissionSet(entry: Readonly<Record<string, unknown>>, key: ArnKey): Subject | string {
  const { sso } = entry;
  if (key !== 'rolearn') return 'sso is only for mapRoles';
  if (entry[key] !== undefined) return 'it has both rolearn and sso: write one of them';
  const fields = typeof sso === 'object' && sso !== null ? fieldsOf(sso) : 'it is not a map';
  if (typeof fields === 'string') return `sso: ${fields}`;
  const { permissionsetname: name, accountid, partition = 'aws' } = fields;
  const accountId = accountText(accountid);
  if (typeof name !== 'string' || !/^[\w+=,.@-]{1,32}$/.test(name))
    return 'sso: permissionSetName is not the name of a permission set';
  if (accountId === undefined) return 'sso: accountID is not a string of twelve digits: write it in quotes';
  const arn = `arn:${String(partition)}:iam::${accountId}:role/AWSReservedSSO_${name}_*`;
  if (readCallerArn(arn) === undefined) return 'sso: partition is not a partition of AWS';
  return { arn, isPermissionSet: true };
}

/** Only exact ARNs. A prefix or a wildcard could match the name of a role that another team creates. */
function isMappable(arn: string, key: ArnKey): boolean {
  if (arn.includes('*') || readCallerArn(arn) === undefined) return false;
  return key === 'rolearn' ? /:role\//.test(arn) : !/:(?:role|assumed-role)\//.test(arn);
}

/** A source of the mapping is broken as a whole. It counts as unavailable, because it was not emptied on purpose. */
export class BrokenMappingError extends Error {
  override readonly name = 'BrokenMappingError';

  constructor(source: string, problems: readonly string[]) {
    super(
      `${source} is broken and would map no identity: ${problems.join('; ')}. Check it with drover token map ARN --config FILE. To map no identity on purpose, write {}`,
    );
  }
}
