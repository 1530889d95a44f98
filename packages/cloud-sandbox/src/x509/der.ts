/** Distinguished Encoding Rules (ITU-T X.690), as far as certificates and their requests use them. */

/** The tag's byte of each type. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function encode(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return [0x80 | digits.length, ...digits];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => encode(tag.sequence, ...parts);

/** Positive: a leading zero keeps the sign bit clear. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return encode(tag.integer, ...(isNegative ? [Buffer.from([0])] : []), bytes);
}

export const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer =>
  encode(tag.bitString, Buffer.from([unusedBits]), bytes);

/** `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(tag.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): readonly number[] {
  const digits = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
  return digits;
}

/** RFC 5280 4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050 on. */
export function time(milliseconds: number): Buffer {
  const digits = `${new Date(milliseconds).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return digits < '2050'
    ? encode(tag.utcTime, Buffer.from(digits.slice(2)))
    : encode(tag.generalizedTime, Buffer.from(digits));
}

/** One value of a DER text. */
export interface DerValue {
  readonly type: number;
  readonly content: Buffer;
  /** With its tag and length. */
  readonly bytes: Buffer;
}

/** Throws SyntaxError when the bytes are not exactly one value. */
export function decode(bytes: Buffer): DerValue {
  const [value, ...more] = valuesOf(bytes);
  if (value === undefined || more.length > 0) throw new SyntaxError('asn1: not exactly one value');
  return value;
}

/** The values inside a SEQUENCE or SET. Throws SyntaxError for what is cut off. */
export function valuesOf(content: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < content.length; ) {
    const value = readAt(content, at);
    values.push(value);
    at += value.bytes.length;
  }
  return values;
}

function readAt(source: Buffer, at: number): DerValue {
  const [type = 0, short = 0] = source.subarray(at, at + 2);
  const digits = short < 0x80 ? 0 : short & 0x7f;
  const start = at + 2 + digits;
  const length = digits === 0 ? short : Number.parseInt(source.toString('hex', at + 2, start), 16);
  // A length of four bytes or more is longer than any certificate request.
  if (short === 0x80 || digits > 3 || !(start + length <= source.length))
    throw new SyntaxError('asn1: syntax error: data truncated');
  return {
    type,
    content: source.subarray(start, start + length),
    bytes: source.subarray(at, start + length),
  };
}

export function readObjectIdentifier({ content }: DerValue): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}
