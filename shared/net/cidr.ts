import { isIP } from 'node:net';

/** A block of addresses: the first one as a number, and how many bits all of them share. */
export interface Cidr {
  readonly first: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
}

/** Whether the text is a block, such as `10.96.0.0/12`, whose address is its first one. */
export function cidr(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || (bits === 128 && /[%.]/.test(address)) || Number(prefix) > bits) return false;
  return numberOf(address) % 2n ** BigInt(bits - Number(prefix)) === 0n;
}

/** The block of a text that `cidr` accepts. */
export function parseCidr(text: string): Cidr {
  const [address = '', prefix] = text.split('/');
  return { first: numberOf(address), prefix: Number(prefix), bits: isIP(address) === 4 ? 32 : 128 };
}

/** Whether the two have an address in common. */
export function overlaps(one: Cidr, other: Cidr): boolean {
  if (one.bits !== other.bits) return false;
  const shift = BigInt(one.bits - Math.min(one.prefix, other.prefix));
  return one.first >> shift === other.first >> shift;
}

/** Whether the address, IPv4 or IPv6 without a zone, is one of the block. */
export function contains(block: Cidr, address: string): boolean {
  const bits = isIP(address) === 4 ? 32 : 128;
  return overlaps(block, { first: numberOf(plain(address)), prefix: bits, bits });
}

/** An IPv6 address may end with an IPv4 address: `groupsOf` reads only hexadecimal groups. */
const plain = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

/** Undefined if the block has no tenth address. */
export function tenthAddress({ first, prefix, bits }: Cidr): string | undefined {
  if (bits - prefix < 4) return undefined;
  return bits === 32 ? ipv4Text(first + 10n) : ipv6Text(first + 10n);
}

function numberOf(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  return groupsOf(address).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly string[] {
  const [left = '', right] = address.split('::');
  const start = left.split(':').filter(Boolean);
  const end = (right ?? '').split(':').filter(Boolean);
  const zeros = right === undefined ? 0 : 8 - start.length - end.length;
  return [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
}

const ipv4Text = (address: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');

/** As RFC 5952 writes it: the WHATWG parser of URLs does, too. */
function ipv6Text(address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, place) =>
    ((address >> BigInt(16 * (7 - place))) & 65_535n).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
