/**
 * Domain names as Route 53 keeps them: lower case, a dot at the end, every byte that is not a letter, digit, hyphen or underscore
 * as `\` and three octal digits (developer guide, "DNS domain name format").
 */
export function normalizeName(name: string): string {
  const bytes = readBytes(name).map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
  const text = bytes.map(writeByte).join('');
  return text.endsWith('.') ? text : `${text}.`;
}

/** An escaped dot is part of a label: it is kept apart from those between labels. */
const escapedDot = 0x100;
const dot = 0x2e;

const readBytes = (name: string): readonly number[] =>
  [...name.matchAll(/\\([0-3][0-7]{2})|([^\\]+|\\)/g)].flatMap(([, octal, plain]) => {
    if (octal === undefined) return [...Buffer.from(plain ?? '')];
    const byte = Number.parseInt(octal, 8);
    return [byte === dot ? escapedDot : byte];
  });

function writeByte(byte: number): string {
  if (byte === escapedDot) return '\\056';
  const character = String.fromCharCode(byte);
  return /[a-z0-9_.-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
}

export const labelsOf = (name: string): readonly string[] => name.replace(/\.$/, '').split('.');

/** How long a label is on the wire. */
const lengthOf = (label: string): number => label.replace(/\\\d{3}/g, '*').length;

/** What keeps a name out of DNS (RFC 1035, section 2.3.4); undefined if nothing does. */
export function nameProblem(name: string): string | undefined {
  const labels = labelsOf(name);
  if (labels.some((label) => label === '')) return 'DomainLabelEmpty (Domain label is empty)';
  if (labels.some((label) => lengthOf(label) > 63)) return 'DomainLabelTooLong (Domain label is too long)';
  const total = labels.reduce((sum, label) => sum + lengthOf(label) + 1, 1);
  return total > 255 ? 'DomainNameTooLong (Domain name is too long)' : undefined;
}

export const isInZone = (name: string, zoneName: string): boolean =>
  name === zoneName || name.endsWith(`.${zoneName}`);

/** `com.example.www.`: ListResourceRecordSets sorts by this, byte by byte. */
export const reversed = (name: string): string => `${labelsOf(name).toReversed().join('.')}.`;

export const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
