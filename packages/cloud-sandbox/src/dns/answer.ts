import * as dns from 'dns-packet';
import type { ServedZone } from '../aws/route53/route53.ts';
import { type Resolution, resolve } from './resolve.ts';

export type Transport = 'udp' | 'tcp';

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

type Rcode = keyof typeof rcodes;

const headerBytes = 12;
const isResponse = 0x8000;
/** Without EDNS (RFC 1035, section 2.3.4), and what is offered and taken at most with it. */
const plainUdpBytes = 512;
const largestUdpBytes = 4096;

/** The answer to one message; undefined for what gets none: too short to be a query, or an answer itself. */
export function answerMessage(
  message: Buffer,
  { zones, transport }: { readonly zones: () => readonly ServedZone[]; readonly transport: Transport },
): Buffer | undefined {
  if (message.length < headerBytes || (message.readUInt16BE(2) & isResponse) !== 0) return undefined;
  const query = decode(message);
  if (!query) return dns.encode(replyTo(headOf(message), { rcode: 'FORMERR' }));
  return encodeWithin(reply(query, zones), limitOf(query, transport));
}

type Query = Pick<dns.DecodedPacket, 'id' | 'flags' | 'questions' | 'additionals'>;

/** Undefined where the message is not one question as DNS writes them. */
function decode(message: Buffer): Query | undefined {
  try {
    const query = dns.decode(message);
    const [question, more] = query.questions ?? [];
    return question && !more && /^[\x20-\x7e]+$/.test(question.name) ? query : undefined;
  } catch {
    // The codec throws errors of every kind at what it cannot read.
    return undefined;
  }
}

/** What every message has, however broken the rest of it is. */
const headOf = (message: Buffer): Query => ({ id: message.readUInt16BE(0), flags: message.readUInt16BE(2) });

function reply(query: Query, zones: () => readonly ServedZone[]): dns.Packet {
  const [question] = query.questions ?? [];
  const options = optionsOf(query);
  const opcode = ((query.flags ?? 0) >> 11) & 0xf;
  if (!question || opcode !== 0) return replyTo(query, { rcode: 'NOTIMP' });
  if (options && options.ednsVersion > 0) return replyTo(query, { rcode: 'NOERROR', badVersion: true });
  return replyTo(query, resolve(zones(), question));
}

/** RFC 6891: the record by which a caller says how large an answer may be. */
const optionsOf = ({ additionals = [] }: Query): dns.OptAnswer | undefined =>
  additionals.find((record) => record.type === 'OPT');

interface Outcome extends Partial<Omit<Resolution, 'rcode'>> {
  readonly rcode: Rcode;
  readonly badVersion?: boolean;
}

function replyTo(query: Query, outcome: Outcome): dns.Packet {
  const { rcode, badVersion = false, authoritative = false, answers = [], authorities = [] } = outcome;
  const kept = (query.flags ?? 0) & (0x7800 | dns.RECURSION_DESIRED);
  return {
    type: 'response',
    ...(query.id !== undefined && { id: query.id }),
    flags: kept | (authoritative ? dns.AUTHORITATIVE_ANSWER : 0) | rcodes[rcode],
    questions: [...(query.questions ?? [])],
    answers: [...answers],
    authorities: [...authorities],
    additionals: optionsOf(query) ? [ourOptions(badVersion)] : [],
  };
}

const ourOptions = (badVersion: boolean): dns.OptAnswer => ({
  type: 'OPT',
  name: '.',
  udpPayloadSize: largestUdpBytes,
  extendedRcode: badVersion ? 1 : 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
});

function limitOf(query: Query, transport: Transport): number {
  if (transport === 'tcp') return 65_535;
  const offered = optionsOf(query)?.udpPayloadSize ?? plainUdpBytes;
  return Math.max(plainUdpBytes, Math.min(offered, largestUdpBytes));
}

/** What does not fit says so and is left out: the caller asks again over TCP. */
function encodeWithin(packet: dns.Packet, limit: number): Buffer {
  const whole = dns.encode(packet);
  if (whole.length <= limit) return whole;
  const flags = (packet.flags ?? 0) | dns.TRUNCATED_RESPONSE;
  return dns.encode({ ...packet, flags, answers: [], authorities: [] });
}

/** Where the sandbox itself failed. */
export const serverFailure = (message: Buffer): Buffer =>
  dns.encode(replyTo(decode(message) ?? headOf(message), { rcode: 'SERVFAIL' }));
