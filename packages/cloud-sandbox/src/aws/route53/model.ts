import type { AliasTarget, ChangeStatus, ResourceRecordSet, RRType, VPC } from '@aws-sdk/client-route-53';
import type { ServiceParts } from '../integration.ts';
import { route53Errors } from './errors.ts';

/** A record set of a zone. Its name is normalised; values are spelled as they were given. */
export interface StoredSet {
  readonly name: string;
  readonly type: RRType;
  readonly setIdentifier?: string;
  readonly ttlSeconds?: number;
  readonly values: readonly string[];
  readonly alias?: AliasTarget;
  /** Weight, region, failover and the like, as given: kept and listed, not acted upon. */
  readonly routing: Partial<ResourceRecordSet>;
}

/** By `keyOf`. */
export type RecordSets = ReadonlyMap<string, StoredSet>;

export const keyOf = (set: Pick<StoredSet, 'name' | 'type' | 'setIdentifier'>): string =>
  `${set.name} ${set.type} ${set.setIdentifier ?? ''}`;

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly callerReference: string;
  readonly comment: string | undefined;
  readonly isPrivate: boolean;
  readonly vpcs: readonly VPC[];
  readonly nameServers: readonly string[];
  /** What the API knows. */
  sets: RecordSets;
  /** What the name servers answer: the same, once the changes are in sync. */
  served: RecordSets;
  /** Epoch milliseconds until which a change is worked on, and the next is refused. */
  busyUntil: number;
}

export interface ChangeRecord {
  readonly id: string;
  readonly submittedAt: number;
  readonly comment: string | undefined;
  status: ChangeStatus;
}

export interface Route53Timings {
  /** From a change to its INSYNC, simulated; "generally within 60 seconds". */
  readonly inSyncSeconds: number;
  /** How long Route 53 works on a change and refuses the next for the zone; 0: it has done when it answers. */
  readonly processingMilliseconds: number;
  /** "Five requests per second per AWS account"; what is above is throttled. */
  readonly requestsPerSecond: number;
}

export interface Route53World extends ServiceParts {
  readonly timings: Route53Timings;
  readonly zones: Map<string, Zone>;
  readonly changes: Map<string, ChangeRecord>;
}

/** With or without `/hostedzone/`. Throws NoSuchHostedZone. */
export function findZone(world: Pick<Route53World, 'zones'>, id = ''): Zone {
  const bare = id.replace(/^\/?hostedzone\//, '');
  const zone = world.zones.get(bare);
  if (zone === undefined) throw route53Errors.noSuchZone(bare);
  return zone;
}
