import type { Deliver, PutAwsEvent, ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { dispatch } from './dispatch.ts';
import { type EventEnvelope, envelope } from './envelope.ts';
import { eventOperations } from './event-operations.ts';
import { ruleOperations } from './rule-operations.ts';
import { type Disturbance, type EventsWorld, type RuleMetrics } from './rules.ts';
import { targetOperations } from './target-operations.ts';

export interface EventsOptions extends ServiceParts {
  readonly deliver: Deliver;
  /** From an event to its targets, in simulated seconds. */
  readonly deliverySeconds?: number;
}

const operationsOf = (world: EventsWorld) => ({
  ...ruleOperations(world),
  ...targetOperations(world),
  ...eventOperations(world),
});

/** Amazon EventBridge with the account's default event bus. */
export interface Events extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  /** For the account's other services. */
  readonly putAwsEvent: PutAwsEvent;
  /** Puts an event as it is, envelope and all: for tests and stories that replay a payload. */
  putEnvelope(event: EventEnvelope): void;
  /** Makes deliveries get lost, come twice, come late; a member that is not given is none. */
  disturb(disturbance: Partial<Disturbance>): void;
  /** Undefined for a rule that does not exist. */
  metricsOf(ruleName: string): Readonly<RuleMetrics> | undefined;
}

const quiet: Disturbance = { lost: 0, duplicated: 0, lateSeconds: 0 };

export function createEvents(options: EventsOptions): Events {
  const { clock, random, accountId, region, deliver } = options;
  const world: EventsWorld = {
    clock,
    random,
    accountId,
    region,
    deliver,
    deliverySeconds: options.deliverySeconds ?? 0.1,
    rules: new Map(),
    disturbance: quiet,
  };
  return {
    signingName: 'events',
    operations: operationsOf(world),
    putAwsEvent: (event) => dispatch(world, envelope(world, event)),
    putEnvelope: (event) => dispatch(world, event),
    disturb: (disturbance) => {
      world.disturbance = { ...quiet, ...disturbance };
    },
    metricsOf: (ruleName) => world.rules.get(ruleName)?.metrics,
  };
}
