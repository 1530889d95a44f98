import { parseXmlBody } from '@aws-sdk/core/protocols';

/**
 * What a body says, whatever the order of members, the space between them and how many digits a second has; without the members
 * of these names.
 */
export async function structureOf(
  body: string | Uint8Array,
  without: readonly string[] = [],
): Promise<unknown> {
  const text = Buffer.from(body).toString();
  if (/^\s*</.test(text))
    return [
      rootOf(text),
      treeOf(await parseXmlBody(Buffer.from(text), {} as Parameters<typeof parseXmlBody>[1]), without),
    ];
  if (/^\s*\{/.test(text))
    return JSON.parse(text, (name, value: unknown) => (without.includes(name) ? undefined : value));
  return text.trim();
}

function treeOf(value: unknown, without: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => treeOf(item, without));
  if (typeof value === 'string') return value.trim().replace(/(:\d\d)\.000Z$/, '$1Z');
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'xmlns' && !without.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, treeOf(member, without)]));
}

const rootOf = (text: string): string | undefined => /<([A-Za-z][\w:]*)/.exec(text)?.[1];

/** The namespace that the document names. */
export const namespaceOf = (body: string | Uint8Array): string | undefined =>
  /<[\w:]+\s+xmlns="([^"]*)"/.exec(Buffer.from(body).toString())?.[1];
