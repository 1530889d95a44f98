import {
  type Document,
  isDocument,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { messageOf } from '../base/message-of.ts';

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
  const { documents, problems } = listsOf(typeof data === 'object' && data !== null ? data : top);
  return { documents, problems: [...whole.problems, ...problems] };
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
    const whole = parseYaml(list);
    const parsed = 'problem' in whole ? (parseApart(list) ?? whole) : whole;
    if ('problem' in parsed) problems.push(`${name}: ${'problem' in whole ? whole.problem : parsed.problem}`);
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
 * A mapping has a token of the library for every third character. The library takes 8 s and more than a gigabyte for a million, which a text
 * of only commas has: that would end the function. By the length, so that several lists have no more together.
 */
const mostTokensOf = ({ length }: string): number => Math.max(150_000, length * 0.4);

type Parsed =
  | { readonly value: unknown; readonly problems: readonly string[] }
  | { readonly problem: string };

/**
 * Reads a text whose author may only be allowed to write a ConfigMap. The library checks each key of a map against all others, so duplicate keys
 * are found here instead, in time that grows with the length of the text.
 */
function parseYaml(text: string): Parsed {
  if (text.length > longestText) return { problem: `it is longer than ${longestText} characters` };
  const expensive = whyExpensive(text);
  if (expensive !== undefined) return { problem: expensive };
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  if (error) return { problem: `it is not YAML: ${error.message}` };
  try {
    if (doubledKey(document) !== undefined) return withoutDoubled(document);
    return { value: document.toJS({ maxAliasCount: mostAliases }) as unknown, problems: [] };
  } catch (cause) {
    return { problem: `it is not YAML: ${messageOf(cause)}` };
  }
}

/** An entry of a list that could not be read. The others of its list count. */
export class UnreadEntryError extends Error {
  override readonly name = 'UnreadEntryError';
}

/** A list whose entries all could not be read is broken as a whole. */
const listOf = (entries: readonly unknown[]): Parsed => {
  const [first] = entries;
  return first instanceof UnreadEntryError && entries.every((entry) => entry instanceof UnreadEntryError)
    ? { problem: `it is not YAML: ${first.message}` }
    : { value: entries, problems: [] };
};

/** A key that is there twice costs only the entry that has it, or the list whose name it is. */
function withoutDoubled(document: Document.Parsed): Parsed {
  const problems: string[] = [];
  const plain = (node: unknown): unknown =>
    isNode(node) ? node.toJS(document, { maxAliasCount: mostAliases }) : node;
  const entry = (node: unknown): unknown => {
    const key = doubledKey(node);
    return key === undefined ? plain(node) : new UnreadEntryError(`the key ${key} is there twice`);
  };
  const readable = (node: unknown): unknown => {
    if (isSeq(node)) return node.items.map(entry);
    if (!isMap(node)) return plain(node);
    const doubled = doubledKeysOf(node);
    for (const key of doubled) problems.push(`the key ${key} is there twice`);
    const pairs = node.items.filter(({ key }) => !doubled.has(keyText(key)));
    return Object.fromEntries(pairs.map(({ key, value }) => [keyText(key), readable(value)]));
  };
  const value = readable(document.contents);
  return Array.isArray(value) ? listOf(value) : { value, problems };
}

/** More entries are not read one by one, because that costs more than reading the list. */
const mostApart = 2000;

/** Reads the entries of a list in block style each by itself, so that a broken one costs no other. Undefined if it is another text. */
function parseApart(text: string): Parsed | undefined {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  const [indent] = /^ *(?=-(?:[ \t]|$))/.exec(lines[first] ?? '') ?? [];
  if (indent === undefined) return undefined;
  const isStart = (line: string): boolean =>
    line.startsWith(`${indent}-`) && /^(?:[ \t]|$)/.test(line.slice(indent.length + 1, indent.length + 2));
  const starts = lines.flatMap((line, place) => (isStart(line) ? [place] : []));
  if (starts.length > mostApart) return undefined;
  const entries = starts.map((start, place): unknown => {
    const parsed = parseYaml(lines.slice(start, starts[place + 1]).join('\n'));
    if ('problem' in parsed) return new UnreadEntryError(parsed.problem);
    return Array.isArray(parsed.value) && parsed.value.length === 1
      ? (parsed.value[0] as unknown)
      : new UnreadEntryError('it is not YAML');
  });
  return listOf(entries);
}

/** Why a text is not parsed; undefined if it may be. */
function whyExpensive(text: string): string | undefined {
  const most = mostTokensOf(text);
  let anchors = 0;
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (/^[&*]/.test(token)) anchors += 1;
    if (anchors > mostAnchors) return `it has more than ${mostAnchors} anchors and aliases`;
    if (tokens > most) return 'it has more YAML tokens than a mapping of its length';
  }
  return undefined;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

function doubledKeysOf({ items }: YAMLMap): ReadonlySet<string> {
  const [seen, doubled] = [new Set<string>(), new Set<string>()];
  for (const { key } of items) (seen.has(keyText(key)) ? doubled : seen).add(keyText(key));
  return doubled;
}

/** The first key in the node that its map has twice. */
function doubledKey(node: unknown): string | undefined {
  let found: string | undefined;
  const root = isDocument(node) ? node.contents : node;
  if (!isNode(root)) return undefined;
  visit(root, {
    Map(_, map) {
      [found] = doubledKeysOf(map);
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** The three lists as parsed from YAML or JSON. A missing list counts as empty. */
export interface MappingDocuments {
  readonly mapRoles?: unknown;
  readonly mapUsers?: unknown;
  readonly mapAccounts?: unknown;
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
