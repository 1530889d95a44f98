import type { Reader } from './shape.ts';

export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
}

/** An answer is not the XML that it should be. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** A declaration or comment, a CDATA section, a tag (`/`, name, attributes, `/`), or text. */
const token =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([\w.:-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/gy;

interface Open {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Reads XML as AWS writes it: elements and text; attributes and namespaces say nothing there and are skipped, and what a
 * document type could do is not done at all.
 *
 * @throws XmlError
 */
export function parseXml(source: string): XmlElement {
  const root: Open = { name: '', children: [], text: '' };
  const open = [root];
  let at = 0;
  while (at < source.length) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (!match) throw new XmlError(`no XML at character ${at}`);
    at = token.lastIndex;
    const [, characters, closing, name, , empty, text] = match;
    const current = open.at(-1) ?? root;
    if (name === undefined) current.text += characters ?? decodeEntities(text ?? '');
    else if (closing) close(open, name, at);
    else push(open, { name, children: [], text: '' }, empty === '/');
  }
  const [document, ...more] = root.children;
  if (!document || more.length > 0 || open.length > 1) throw new XmlError('not one whole XML document');
  return document;
}

function push(open: Open[], element: Open, isEmpty: boolean): void {
  open.at(-1)?.children.push(element);
  if (!isEmpty) open.push(element);
}

function close(open: Open[], name: string, at: number): void {
  if (open.length < 2 || open.pop()?.name !== name)
    throw new XmlError(`</${name}> closes nothing at character ${at}`);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return entities[name] ?? whole;
  });

/** Lists are written as `<member>` (Query) or `<item>` (EC2) elements. */
export const xmlReader: Reader<XmlElement> = {
  member: (node, name) => node?.children.find((child) => child.name === name),
  items: (node) => node?.children ?? [],
  scalar: ({ text }, kind) => {
    if (kind === 'integer') return Number(text);
    if (kind === 'boolean') return text === 'true';
    return kind === 'date' ? new Date(text) : text;
  },
};
