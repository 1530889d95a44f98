import { parseXml, type XmlElement } from '../../../../../shared/aws/api/xml.ts';

/**
 * What a body says, whatever the order of members, the space between them and how many digits a second has; without the members
 * of these names.
 */
export function structureOf(body: string | Uint8Array, without: readonly string[] = []): unknown {
  const text = Buffer.from(body).toString();
  if (/^\s*</.test(text)) return treeOf(parseXml(text), new Set(without));
  if (/^\s*\{/.test(text))
    return JSON.parse(text, (name, value: unknown) => (without.includes(name) ? undefined : value));
  return text.trim();
}

/** Members of a structure are sorted by their names; items of a list have one name, and keep their order. */
function treeOf({ name, text, children }: XmlElement, without: ReadonlySet<string>): unknown {
  const inner = children.filter((child) => !without.has(child.name)).map((child) => treeOf(child, without));
  const byName = inner.toSorted((one, other) => compare(nameOf(one), nameOf(other)));
  return inner.length > 0 ? [name, ...byName] : [name, text.trim().replace(/(:\d\d)\.000Z$/, '$1Z')];
}

const nameOf = (tree: unknown): string => (Array.isArray(tree) ? String(tree[0]) : '');
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The namespace that the document names. */
export const namespaceOf = (body: string | Uint8Array): string | undefined =>
  /<[\w:]+\s+xmlns="([^"]*)"/.exec(Buffer.from(body).toString())?.[1];
