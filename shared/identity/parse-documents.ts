import { parseDocument } from 'yaml';
import { messageOf } from '../base/message-of.ts';
import type { MappingDocuments } from './read-mapping.ts';

const names = ['mapRoles', 'mapUsers', 'mapAccounts'] as const;

/** The lists, and why others could not be read. */
export interface DocumentsReading {
  readonly documents: MappingDocuments;
  readonly problems: readonly string[];
}

/**
 * Reads a mapping as YAML or JSON: the three lists at the top, or the ConfigMap `kube-system/aws-auth`, whose data holds each list as a text of its own.
 * A list that cannot be read leaves the others as they are. Pure.
 */
export function parseDocuments(text: string): DocumentsReading {
  const whole = parseYaml(text);
  if ('problem' in whole) return { documents: {}, problems: [whole.problem] };
  const top = whole.value;
  if (typeof top !== 'object' || top === null || Array.isArray(top))
    return { documents: {}, problems: ['it is no map with mapRoles, mapUsers or mapAccounts'] };
  const { data } = top as { readonly data?: unknown };
  return listsOf(typeof data === 'object' && data !== null ? data : top);
}

/** The same for the data of a ConfigMap. */
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

/** Aliases are few in a mapping, and many make a short text a long one. */
const mostAliases = 20;

function parseYaml(text: string): { readonly value: unknown } | { readonly problem: string } {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) return { problem: `it is no YAML: ${error.message}` };
  try {
    return { value: document.toJS({ maxAliasCount: mostAliases }) as unknown };
  } catch (cause) {
    return { problem: `it is no YAML: ${messageOf(cause)}` };
  }
}

/**
 * Whether a source is broken as a whole: something of it cannot be read, and what can be read has no entry. Its people were not taken out, so it names nobody by mistake. A
 * bad entry breaks nothing. Pure.
 */
export function isBroken({ documents, problems }: DocumentsReading): boolean {
  const lists = Object.values(documents).filter((list) => list !== null && list !== undefined);
  const isUnread = problems.length > 0 || !lists.every(Array.isArray);
  return isUnread && !lists.some((list) => Array.isArray(list) && list.length > 0);
}
