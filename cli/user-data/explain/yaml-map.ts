import { type Document, isMap, parseAllDocuments } from 'yaml';
import { reasonOf } from '../../reason-of.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Aliases beyond this make a document large (the "billion laughs"). */
const maxAliasCount = 100;

/** The mapping of each document of YAML, or the reason why there is none. Pure. */
export function yamlMaps(text: string): readonly (Fields | string)[] {
  const documents: readonly Document.Parsed[] = parseAllDocuments(text);
  return documents.filter(({ contents, errors }) => contents !== null || errors.length > 0).map(mapOf);
}

function mapOf(document: Document.Parsed): Fields | string {
  const [error] = document.errors;
  if (error !== undefined) return `it is not YAML: ${withoutQuotation(error.message)}`;
  if (!isMap(document.contents)) return 'it is YAML, and no mapping';
  try {
    return document.toJS({ maxAliasCount }) as Fields;
  } catch (cause) {
    return `it is YAML that cannot be read: ${withoutQuotation(reasonOf(cause))}`;
  }
}

/** What is wrong and where. The library quotes the text after a colon, and a password may begin with `*`, `!` or `|`. */
function withoutQuotation(message: string): string {
  const [, wrong = ''] = /^([^:\n]*)/.exec(message) ?? [];
  const [place = ''] = / at line \d+, column \d+/.exec(message) ?? [];
  return wrong.includes(place) ? wrong : `${wrong}${place}`;
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');

/** A scalar as text; undefined if there is none. */
export const scalarOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
