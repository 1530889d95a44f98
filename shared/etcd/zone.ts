export type DnsRecordType = 'A' | 'AAAA' | 'SRV' | 'TXT';

/**
 * A record set of a hosted zone. Names are lower case without the dot at their end; the values of a TXT set are what stands
 * between the quotes.
 */
export interface DnsRecord {
  readonly name: string;
  readonly type: DnsRecordType;
  readonly ttlSeconds: number;
  readonly values: readonly string[];
}

/** A record set that Drover cannot have made, and only ever names: a type, an alias or a routing policy that it does not write. */
export interface ForeignRecord {
  readonly name: string;
  /** As Route 53 spells it: `CNAME`, `A (alias)`. */
  readonly type: string;
}

/** One change of a batch: `delete` names the set exactly as it stands, `create` fails where there is one already. */
export interface RecordChange {
  readonly action: 'delete' | 'create';
  readonly record: DnsRecord;
}

/** What the zone holds at and under one domain. */
export interface ZoneContent {
  readonly records: readonly DnsRecord[];
  readonly foreign: readonly ForeignRecord[];
}

export type ZoneErrorCode =
  /** Somebody changed the zone between our look and our change: look again. */
  | 'conflict'
  /** Route 53 takes no more calls at this moment, or works on the change before: come back. */
  | 'busy'
  /** There is no such zone, or it does not hold the domain. */
  | 'no-zone'
  | 'denied'
  | 'invalid';

/** Route 53 said no; the message tells an operator what to do. */
export class ZoneError extends Error {
  override readonly name = 'ZoneError';
  readonly code: ZoneErrorCode;

  constructor(code: ZoneErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** One hosted zone, private or public. Methods reject with a ZoneError, or with what broke on the way. */
export interface HostedZone {
  /** Every set at and under the domain, all pages. */
  read(domain: string): Promise<ZoneContent>;
  /** All of the changes or none; answers the id of the change, to ask `isInSync` for. At most 1,000 values, an invalid ZoneError beyond. */
  change(changes: readonly RecordChange[], comment: string): Promise<string>;
  /** Whether every name server of Route 53 answers with the change. */
  isInSync(changeId: string): Promise<boolean>;
}
