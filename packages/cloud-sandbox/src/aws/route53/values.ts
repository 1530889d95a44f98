import { isIPv4, isIPv6 } from 'node:net';
import type { RRType } from '@aws-sdk/client-route-53';
import { nameProblem, normalizeName } from './names.ts';

/** What is wrong with one value; undefined if nothing is. */
type Check = (value: string) => string | undefined;

const address: Check = (value) =>
  isIPv4(value) ? undefined : 'ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)';

const address6: Check = (value) =>
  isIPv6(value) ? undefined : 'AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)';

const domain: Check = (value) =>
  value === '' || /\s/.test(value)
    ? 'UnsupportedCharacter (Value contains unsupported characters)'
    : nameProblem(normalizeName(value));

/** `fields` numbers of 16 bits (or of 32, where `bits` says so) and then a domain name. */
const numbersThenDomain =
  (fields: number): Check =>
  (value) => {
    const parts = value.split(' ');
    const numbers = parts.slice(0, fields);
    if (parts.length !== fields + 1)
      return `WrongFieldCount (Value must have ${fields + 1} fields, separated by spaces)`;
    if (!numbers.every((part) => /^\d{1,5}$/.test(part) && Number(part) <= 65_535))
      return 'InvalidNumber (Value must begin with numbers from 0 to 65535)';
    return domain(parts[fields] ?? '');
  };

const pieces = /^(?:"(?:[^"\\]|\\[\s\S])*"|[^\s"]+)(?:\s*(?:"(?:[^"\\]|\\[\s\S])*"|[^\s"]+))*$/;
const piece = /"((?:[^"\\]|\\[\s\S])*)"|[^\s"]+/g;

const text: Check = (value) => {
  if (!pieces.test(value) || !value.startsWith('"'))
    return 'InvalidCharacterString (Value should be enclosed in quotation marks)';
  const tooLong = [...value.matchAll(piece)].some(
    ([, inner = '']) => Buffer.byteLength(inner.replace(/\\([0-3][0-7]{2}|[\s\S])/g, '*')) > 255,
  );
  if (tooLong) return 'CharacterStringTooLong (Value is too long)';
  return value.length > 4000 ? 'TXTRDATATooLong (Value is too long)' : undefined;
};

const startOfAuthority: Check = (value) => {
  const [server = '', mailbox = '', ...numbers] = value.split(' ');
  if (numbers.length !== 5 || !numbers.every((part) => /^\d{1,10}$/.test(part)))
    return 'WrongFieldCount (Value must have two names and five numbers)';
  return domain(server) ?? domain(mailbox);
};

/** Types that are not here (CAA, DS, HTTPS, NAPTR, SSHFP, SVCB, TLSA) are taken as they come. */
const checks: Readonly<Partial<Record<RRType, Check>>> = {
  A: address,
  AAAA: address6,
  CNAME: domain,
  MX: numbersThenDomain(1),
  NS: domain,
  PTR: domain,
  SOA: startOfAuthority,
  SPF: text,
  SRV: numbersThenDomain(3),
  TXT: text,
};

/**
 * What Route 53 says to the values of a set, one message for each. The words for addresses and texts are its own; those for
 * other types are ours.
 */
export function valueProblems(type: RRType, values: readonly string[]): readonly string[] {
  const duplicate = values.find((value, index) => values.indexOf(value) !== index);
  if (duplicate !== undefined) return [`Duplicate Resource Record: '${duplicate}'`];
  if (values.length > 400) return ['Cannot have more than 400 records in a RRSet.'];
  return values.flatMap((value) => {
    const problem = checks[type]?.(value);
    return problem === undefined
      ? []
      : [`Invalid Resource Record: 'FATAL problem: ${problem} encountered with '${value}''`];
  });
}
