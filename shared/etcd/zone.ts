export type DnsRecordType = 'A' | 'AAAA' | 'SRV' | 'TXT';

/**
 * A record set of a hosted zone. Names are lower case without a trailing dot; the values of a TXT set are without their quotes.
 */
export interface DnsRecord {
  readonly name: string;
  readonly type: DnsRecordType;
  readonly ttlSeconds: number;
  readonly values: readonly string[];
}

/** A record set that Drover cannot have made, because of its type, its alias or its routing policy. Drover only reports it. */
export interface ForeignRecord {
  readonly name: string;
  /** As Route 53 spells it: `CNAME`, `A (alias)`. */
  readonly type: string;
}

/** One change of a batch: `delete` names the set exactly as it is, `create` fails if the set exists. */
export interface RecordChange {
  readonly action: 'delete' | 'create';
  readonly record: DnsRecord;
}

/** The record sets at and under one domain. */
export interface ZoneContent {
  readonly records: readonly DnsRecord[];
  readonly foreign: readonly ForeignRecord[];
}

export type ZoneErrorCode =
  /** The zone has changed since it was read: read it again. */
  | 'conflict'
  /** Route 53 throttles, or still works on an earlier change: try again later. */
  | 'busy'
  /** There is no such zone, or the domain is not in it. */
  | 'no-zone'
  | 'denied'
  | 'invalid';

/** Route 53 refused. The message says what to do. */
export class ZoneError extends Error {
  override readonly name = 'ZoneError';
  readonly code: ZoneErrorCode;

  constructor(code: ZoneErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** One hosted zone, private or public. Methods reject with a ZoneError, or with the error of the connection. */
export interface HostedZone {
  /** The sets at and under the domain. If there are too many, at least those under the names that Drover gives. */
  read(domain: string): Promise<ZoneContent>;
  /** Makes all changes or none, and returns the change's id for `isInSync`. More than 1,000 values are an `invalid` ZoneError. */
  change(changes: readonly RecordChange[], comment: string): Promise<string>;
  /** Whether every name server of Route 53 has the change. */
  isInSync(changeId: string): Promise<boolean>;
}
