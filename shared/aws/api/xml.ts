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

/** The tag that opens an element: its name, attributes, and the `/` of one that is closed by it too. */
const tag = /<([\w.:-]+)(?:\s[^<>]*?)?(\/?)>/y;
/** What is no element: a declaration, a comment, or a CDATA section with its characters. */
const aside = /<\?[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>/y;

interface Open {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Reads XML as AWS writes it: elements and text; attributes and namespaces say nothing there and are skipped, and what a
 * document type could do is not done at all. A group of 2,000 instances is a megabyte, read for every turn: text, most of
 * it, is found without a pattern.
 *
 * @throws XmlError
 */
export function parseXml(source: string): XmlElement {
  const root: Open = { name: '', children: [], text: '' };
  const open = [root];
  for (let at = 0; at < source.length; ) {
    const place = { source, at, open, current: open.at(-1) ?? root };
    at += source[at] === '<' ? readMarkup(place) : readText(place);
  }
  const [document, ...more] = root.children;
  if (!document || more.length > 0 || open.length > 1) throw new XmlError('not one whole XML document');
  return document;
}

interface Place {
  readonly source: string;
  readonly at: number;
  /** The elements that are open here, the outermost first. */
  readonly open: Open[];
  /** The innermost of them. */
  readonly current: Open;
}

/** Each of these answers how many characters it has read. */
function readText({ source, at, current }: Place): number {
  const end = source.indexOf('<', at);
  const text = source.slice(at, end < 0 ? source.length : end);
  current.text += text.includes('&') ? decodeEntities(text) : text;
  return text.length;
}

function readMarkup(place: Place): number {
  const { source, at, open, current } = place;
  if (source[at + 1] === '/') return readClosingTag(place);
  const opening = matchAt(tag, source, at);
  if (opening) {
    const [whole, name = '', isEmpty] = opening;
    const element: Open = { name, children: [], text: '' };
    current.children.push(element);
    if (!isEmpty) open.push(element);
    return whole.length;
  }
  const other = matchAt(aside, source, at);
  if (!other) throw new XmlError(`no XML at character ${at}`);
  current.text += other[1] ?? '';
  return other[0].length;
}

function readClosingTag({ source, at, open, current }: Place): number {
  const end = source.indexOf('>', at);
  if (end < 0 || open.length < 2 || source.slice(at + 2, end).trimEnd() !== current.name)
    throw new XmlError(`nothing is closed at character ${at}`);
  open.pop();
  return end + 1 - at;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex) return character(Number.parseInt(hex, 16));
    if (decimal) return character(Number(decimal));
    return entities[name] ?? whole;
  });

function character(codePoint: number): string {
  if (codePoint > 0x10_ff_ff) throw new XmlError(`no character has the number ${codePoint}`);
  return String.fromCodePoint(codePoint);
}

/** Lists are written as `<member>` (Query) or `<item>` (EC2) elements. */
export const xmlReader: Reader<XmlElement> = {
  member: (node, name) => node?.children.find((child) => child.name === name),
  items: (node) => node?.children ?? [],
  scalar: ({ text }, kind) => {
    if (kind === 'integer') return Number(text);
    if (kind === 'boolean') return text === 'true';
    return kind === 'date' ? new Date(text) : ownCopyOf(text);
  },
};

/** V8 cuts a string out of another by pointing into it: an id that is remembered would hold the megabyte it was read from. */
const ownCopyOf = (text: string): string => Buffer.from(text).toString();
