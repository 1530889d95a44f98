import { type Document, isScalar, Lexer, parseDocument, visit } from 'yaml';
import { messageOf } from '../base/message-of.ts';
import { readCallerArn } from './arn.ts';
import type { MappedArn, Mapping } from './mapping.ts';

const names = ['mapRoles', 'mapUsers', 'mapAccounts'] as const;

/** The lists that could be read, and why others could not. */
export interface DocumentsReading {
  readonly documents: MappingDocuments;
  readonly problems: readonly string[];
}

/**
 * Reads a mapping as YAML or JSON: the three lists at the top level, or the ConfigMap `kube-system/aws-auth`, whose data contains each list as a
 * text. A list that cannot be read does not affect the others. Pure.
 */
export function parseDocuments(text: string): DocumentsReading {
  const whole = parseYaml(text);
  if ('problem' in whole) return { documents: {}, problems: [whole.problem] };
  const top = whole.value;
  if (typeof top !== 'object' || top === null || Array.isArray(top))
    return { documents: {}, problems: ['it is not a map with mapRoles, mapUsers or mapAccounts'] };
  const { data } = top as { readonly data?: unknown };
  return listsOf(typeof data === 'object' && data !== null ? data : top);
}

/** Reads the lists in the data of a ConfigMap. */
export function listsOf(fields: object): DocumentsReading {
  const problems: string[] = [];
  const documents: Partial<Record<(typeof names)[number], unknown>> = {};
  for (const name of names) {
    const list = (fields as Readonly<Record<string, unknown>>)[name];
    if (typeof list !== 'string') {
      if (list !== undefined) documents[name] = list;
      continue;
    }
    const parsed = parseYaml(list);
    if ('problem' in parsed) problems.push(`${name}: ${parsed.problem}`);
    else documents[name] = parsed.value;
  }
  const isForeign = Object.keys(fields).length > 0 && Object.keys(documents).length === 0;
  return isForeign && problems.length === 0
    ? { documents: {}, problems: ['it has none of mapRoles, mapUsers and mapAccounts'] }
    : { documents, problems };
}

/** The maximum of a ConfigMap in Kubernetes (`MaxSecretSize` in its validation). */
const longestText = 1024 * 1024;

/** A mapping needs few aliases, and many aliases can expand a short text into a huge one. */
const mostAliases = 20;

/** The library compares every alias with every anchor. */
const mostAnchors = 200;

/**
 * Reads a text whose author may only be allowed to write a ConfigMap. The library checks each key of a map against all others, so duplicate keys
 * are found here instead, in time that grows with the length of the text.
 */
function parseYaml(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text.length > longestText) return { problem: `it is longer than ${longestText} characters` };
  if (hasManyAnchors(text)) return { problem: `it has more than ${mostAnchors} anchors and aliases` };
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  if (error) return { problem: `it is not YAML: ${error.message}` };
  try {
    if (hasDuplicateKey(document)) return { problem: 'it is not YAML: Map keys must be unique' };
    return { value: document.toJS({ maxAliasCount: mostAliases }) as unknown };
  } catch (cause) {
    return { problem: `it is not YAML: ${messageOf(cause)}` };
  }
}

function hasManyAnchors(text: string): boolean {
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[&*]/.test(token)) count += 1;
    if (count > mostAnchors) return true;
  }
  return false;
}

function hasDuplicateKey(document: Document.Parsed): boolean {
  let isFound = false;
  visit(document, {
    Map(_, { items }) {
      const keys = items.map(({ key }) => (isScalar(key) ? key.value : key));
      isFound ||= new Set(keys).size < keys.length;
      return isFound ? visit.BREAK : undefined;
    },
  });
  return isFound;
}

/**
 * Whether a source is broken as a whole: a part of it cannot be read, and the rest has no entry. Then it is empty by mistake, and not because
 * its entries were removed. A single bad entry does not break a source. Pure.
 */
export function isBroken({ documents, problems }: DocumentsReading): boolean {
  const lists = Object.values(documents).filter((list) => list !== null && list !== undefined);
  const isUnread = problems.length > 0 || !lists.every(Array.isArray);
  return isUnread && !lists.some((list) => Array.isArray(list) && list.length > 0);
}

/** A mapping, and why entries of its documents were left out. */
export interface MappingReading {
  readonly mapping: Mapping;
  /** One problem for each entry that was left out, with its place: `mapRoles[2]: groups is not a list of strings`. */
  readonly problems: readonly string[];
}

/** The three lists as parsed from YAML or JSON. A missing list counts as empty. */
export interface MappingDocuments {
  readonly mapRoles?: unknown;
  readonly mapUsers?: unknown;
  readonly mapAccounts?: unknown;
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
    problems.push(`${place} is not a string of twelve digits: write it in quotes`);
    return [];
  });
  return { mapping: { roles, users, accounts }, problems };
}

/** The entry, or what is wrong with it. */
function readEntry(
  entry: unknown,
  { key, trust }: { readonly key: 'rolearn' | 'userarn'; readonly trust: MappingTrust },
): MappedArn | string {
  if (typeof entry !== 'object' || entry === null) return 'it is not a map';
  const { [key]: arn, username = '', groups = [] } = entry as Readonly<Record<string, unknown>>;
  if (typeof arn !== 'string' || !isMappable(arn, key))
    return `${key} is not the ARN of a ${key.slice(0, 4)}`;
  if (typeof username !== 'string') return 'username is not a string: write it in quotes';
  if (username === '') return 'username is missing';
  const names: unknown = groups ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && name !== ''))
    return 'groups is not a list of strings';
  const refusal = trust === 'nodes-at-most' ? limitedRefusal({ username, groups: names }) : undefined;
  if (refusal !== undefined) return refusal;
  return { arn, username, groups: names };
}

/** Only exact ARNs. A prefix or a wildcard could match the name of a role that another team creates. */
function isMappable(arn: string, key: 'rolearn' | 'userarn'): boolean {
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
