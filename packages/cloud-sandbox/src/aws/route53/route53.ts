import type { CreateHostedZoneRequest } from '@aws-sdk/client-route-53';
import type { ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { createThrottle, throttled } from '../throttle.ts';
import { changeOperations } from './change-operations.ts';
import { route53Errors } from './errors.ts';
import { findZone, type RecordSets, type Route53Timings, type Route53World } from './model.ts';
import { createZone } from './new-zone.ts';
import { zoneOperations } from './zone-operations.ts';

export interface Route53Options extends ServiceParts {
  readonly timings?: Partial<Route53Timings>;
}

/** What the name servers of Route 53 answer from. */
export interface ServedZone {
  /** Normalised: lower case, a dot at the end, octal escapes. */
  readonly name: string;
  readonly isPrivate: boolean;
  readonly sets: RecordSets;
}

/** What the rest of the simulation may do with zones besides calling Route 53; none of it is throttled. */
interface Route53Controls {
  /** The zones as the name servers know them at this moment. */
  readonly served: () => readonly ServedZone[];
  /** A zone that exists before the first call, with an id that a deployment may already name. */
  addZone(id: string, input: CreateHostedZoneRequest): void;
  /** Another change of the zone is worked on for so long: until then the next is refused. Throws NoSuchHostedZone. */
  readonly occupy: (zoneId: string, milliseconds: number) => void;
}

const operationsOf = (world: Route53World) => ({ ...changeOperations(world), ...zoneOperations(world) });

export interface SimulatedRoute53 extends AwsService {
  readonly signingName: 'route53';
  readonly operations: ReturnType<typeof operationsOf>;
  readonly controls: Route53Controls;
}

const defaultTimings: Route53Timings = { inSyncSeconds: 20, processingMilliseconds: 0, requestsPerSecond: 5 };

/**
 * Amazon Route 53: hosted zones and their record sets. Aliases and routing policies are kept and listed; no name server
 * answers for them. Left out: tags, more VPCs of a private zone, health checks, traffic policies, DNSSEC, reusable delegation
 * sets, quotas of zones and sets, and the fine rules of the rarer types.
 */
export function createRoute53({ timings, ...parts }: Route53Options): SimulatedRoute53 {
  const world: Route53World = {
    ...parts,
    timings: { ...defaultTimings, ...timings },
    zones: new Map(),
    changes: new Map(),
  };
  const admit = createThrottle({
    clock: world.clock,
    requestsPerSecond: world.timings.requestsPerSecond,
    refusal: route53Errors.throttling,
  });
  return {
    signingName: 'route53',
    operations: throttled(operationsOf(world), admit),
    controls: {
      addZone: (id, input) => {
        createZone(world, input, id);
      },
      served: () =>
        [...world.zones.values()].map(({ name, isPrivate, served }) => ({ name, isPrivate, sets: served })),
      occupy: (zoneId, milliseconds) => {
        findZone(world, zoneId).busyUntil = world.clock.now() + milliseconds;
      },
    },
  };
}
