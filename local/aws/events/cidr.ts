import { BlockList, isIP } from 'node:net';
import { eventsErrors } from './errors.ts';

export type Block = BlockList;

/** `10.0.0.0/24` or `2001:db8::/32`. Throws InvalidEventPatternException. */
export function parseCidr(text: string): Block {
  const [address = '', length = ''] = text.split('/');
  const family = familyOf(address);
  const longest = family === 'ipv6' ? 128 : 32;
  if (family === undefined || !/^\d+$/.test(length) || Number(length) > longest) {
    throw eventsErrors.invalidPattern(`Malformed CIDR: ${text}`);
  }
  const block = new BlockList();
  block.addSubnet(address, Number(length), family);
  return block;
}

export function matchesCidr(address: string, block: Block): boolean {
  const family = familyOf(address);
  return family !== undefined && block.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 6 ? 'ipv6' : 'ipv4';
}
