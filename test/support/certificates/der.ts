/**
 * A value of DER. `length` misstates the length: in the long form where the short one is enough, as indefinite, or so many bytes too long.
 */
export interface Der {
  readonly tag: number;
  readonly content: Uint8Array | readonly Der[];
  readonly length?: 'long' | 'indefinite' | number;
}

export const isConstructed = (der: Der): der is Der & { readonly content: readonly Der[] } =>
  Array.isArray(der.content);

export function encode({ tag, content, length = 0 }: Der): Buffer {
  const body = content instanceof Uint8Array ? content : Buffer.concat(content.map(encode));
  if (length === 'indefinite') return Buffer.from([tag, 0x80, ...body, 0, 0]);
  if (length === 'long') return Buffer.concat([Buffer.from([tag, 0x83]), bigEndian(body.length, 3), body]);
  return Buffer.concat([Buffer.from([tag]), shortestLength(Math.max(0, body.length + length)), body]);
}

function shortestLength(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length]);
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  return Buffer.concat([Buffer.from([0x80 | size]), bigEndian(length, size)]);
}

function bigEndian(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

/** Reads DER with tags of one byte, and only the shortest lengths; undefined for any other bytes. */
export function decode(bytes: Uint8Array): Der | undefined {
  const all = decodeAll(bytes);
  return all?.length === 1 ? all[0] : undefined;
}

function decodeAll(bytes: Uint8Array): readonly Der[] | undefined {
  const values: Der[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const [tag = 0, first = 0] = rest;
    const head = first < 0x80 ? 2 : 2 + (first & 0x7f);
    const length = first < 0x80 ? first : rest.subarray(2, head).reduce((sum, byte) => sum * 256 + byte, 0);
    const body = rest.subarray(head, head + length);
    const isShortest = Buffer.from(shortestLength(length)).equals(rest.subarray(1, head));
    if ((tag & 0x1f) === 0x1f || !isShortest || body.length !== length) return undefined;
    const content = (tag & 0x20) === 0 ? body : decodeAll(body);
    if (content === undefined) return undefined;
    values.push({ tag, content });
    rest = rest.subarray(head + length);
  }
  return values;
}
