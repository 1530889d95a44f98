import { BlockList, isIP } from 'node:net';
import { eventsErrors } from './errors.ts';
import { ofString, type ValueTest } from './text-operators.ts';

/** `10.0.0.0/24` or `2001:db8::/32`: the addresses in it; never a single address. Throws InvalidEventPatternException. */
export function parseCidr(text: string): ValueTest {
  const [address = '', length = '', ...rest] = text.split('/');
  const family = familyOf(address);
  const bits = family === 'ipv6' ? 128 : 32;
  if (family === undefined || rest.length > 0 || !/^\d+$/.test(length) || Number(length) >= bits)
    throw eventsErrors.invalidPattern(`Malformed CIDR: ${text}`);
  const block = new BlockList();
  block.addSubnet(address, Number(length), family);
  return inBlock(block, family);
}

/** An address is the same however it is written; undefined for other text. */
export function addressTest(text: string): ValueTest | undefined {
  const family = familyOf(text);
  if (family === undefined) return undefined;
  const block = new BlockList();
  block.addAddress(text, family);
  return inBlock(block, family);
}

type Family = 'ipv4' | 'ipv6';

const inBlock = (block: BlockList, family: Family): ValueTest =>
  ofString((candidate) => familyOf(candidate) === family && block.check(candidate, family));

function familyOf(address: string): Family | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 6 ? 'ipv6' : 'ipv4';
}
