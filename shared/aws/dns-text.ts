/**
 * How Route 53 spells names and texts: bytes that are no letter, digit, hyphen or underscore of a name come as `\` and three
 * octal digits, as in `\052.example.com.` (developer guide, "DNS domain name format").
 */

const octal = (code: number): string => `\\${code.toString(8).padStart(3, '0')}`;

/** Lower case, without the dot at its end; escapes that would make another name of it stay. */
export const readName = (name: string): string =>
  name
    .replace(/\.$/, '')
    .replace(/\\(\d{3})/g, (escape, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 8));
      return /[!-~]/.test(character) && character !== '.' && character !== '\\' ? character : escape;
    })
    .toLowerCase();

/** The longest character string of a TXT record, in bytes (RFC 1035, section 3.3.14). */
const chunkBytes = 255;

/** A text as the value of a TXT set: in quotes, in as many pieces as it takes. */
export function writeText(text: string): string {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes.length / chunkBytes)) }, (_, index) =>
    [...bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)].map(writeByte).join(''),
  );
  return pieces.map((piece) => `"${piece}"`).join(' ');
}

const quote = 0x22;
const backslash = 0x5c;

function writeByte(byte: number): string {
  if (byte === quote || byte === backslash) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : octal(byte);
}

const piecePattern = /"((?:[^"\\]|\\[\s\S])*)"|([^\s"]+)/g;

/** The text of a TXT value: its pieces put together, its escapes resolved. */
export function readText(value: string): string {
  const bytes = [...value.matchAll(piecePattern)].flatMap(([, quoted, bare]) =>
    readBytes(quoted ?? bare ?? ''),
  );
  return Buffer.from(bytes).toString();
}

const readBytes = (piece: string): readonly number[] =>
  [...piece.matchAll(/\\([0-3][0-7]{2})|\\([\s\S])|([^\\]+|\\$)/g)].flatMap(([, digits, escaped, plain]) =>
    digits === undefined ? [...Buffer.from(escaped ?? plain ?? '')] : [Number.parseInt(digits, 8)],
  );
