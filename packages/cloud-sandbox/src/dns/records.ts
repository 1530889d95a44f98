import type { Answer } from 'dns-packet';
import type { StoredSet } from '../aws/route53/model.ts';

/** The records of a set, for `owner`, which a wildcard's set answers for too; none for a type that is not served. */
export function recordsOf(set: StoredSet, owner: string): readonly Answer[] {
  const head = { name: owner, ttl: set.ttlSeconds ?? 0 };
  return set.values.flatMap((value) => recordOf({ type: set.type, value, head }) ?? []);
}

interface Content {
  readonly type: StoredSet['type'];
  readonly value: string;
  readonly head: { readonly name: string; readonly ttl: number };
}

function recordOf({ type, value, head }: Content): Answer | undefined {
  const fields = value.split(' ');
  switch (type) {
    case 'A':
    case 'AAAA':
      return { ...head, type, data: value };
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return { ...head, type, data: wireName(value) };
    case 'TXT':
      return { ...head, type, data: textPieces(value) };
    case 'MX':
      return {
        ...head,
        type,
        data: { preference: Number(fields[0]), exchange: wireName(fields[1] ?? '') },
      };
    case 'SRV':
      return { ...head, type, data: readService(fields) };
    case 'SOA':
      return { ...head, type, data: readAuthority(fields) };
    default:
      return undefined;
  }
}

const readService = ([priority, weight, port, target = '']: readonly string[]) => ({
  priority: Number(priority),
  weight: Number(weight),
  port: Number(port),
  target: wireName(target),
});

const readAuthority = ([mname = '', rname = '', ...numbers]: readonly string[]) => {
  const [serial, refresh, retry, expire, minimum] = numbers.map(Number);
  return { mname: wireName(mname), rname: wireName(rname), serial, refresh, retry, expire, minimum };
};

/** A name as the DNS codec takes it: without the dot at its end, and bytes instead of octal escapes. */
export const wireName = (name: string): string => {
  const bare = name.replace(/\.$/, '');
  return bare.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
};

const piecePattern = /"((?:[^"\\]|\\[\s\S])*)"|([^\s"]+)/g;
const bytePattern = /\\([0-3][0-7]{2})|\\([\s\S])|([^\\])/gu;

/** The character strings of a TXT value: `"one" "two"`. */
function textPieces(value: string): Buffer[] {
  return [...value.matchAll(piecePattern)].map(([, quoted, bare]) =>
    Buffer.concat(
      [...(quoted ?? bare ?? '').matchAll(bytePattern)].map(([, octal, escaped, plain]) =>
        octal === undefined ? Buffer.from(escaped ?? plain ?? '') : Buffer.from([Number.parseInt(octal, 8)]),
      ),
    ),
  );
}
