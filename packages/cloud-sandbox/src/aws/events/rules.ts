import type { RuleState, Target } from '@aws-sdk/client-eventbridge';
import type { Timer } from '../../simulation/clock.ts';
import type { Deliver, ServiceParts } from '../integration.ts';
import { eventsErrors } from './errors.ts';
import type { EventTest } from './pattern.ts';
import type { Schedule } from './schedule-expression.ts';

/** What became of a rule's events, as the metrics of EventBridge count them. */
export interface RuleMetrics {
  matched: number;
  delivered: number;
  deadLettered: number;
  dropped: number;
}

export interface Rule {
  readonly name: string;
  readonly arn: string;
  readonly eventPattern: string | undefined;
  readonly test: EventTest | undefined;
  readonly scheduleExpression: string | undefined;
  readonly schedule: Schedule | undefined;
  readonly description: string | undefined;
  readonly roleArn: string | undefined;
  readonly targets: Map<string, Target>;
  readonly tags: Map<string, string>;
  readonly metrics: RuleMetrics;
  state: RuleState;
  timer: Timer | undefined;
}

/** How badly events may fare on their way: EventBridge delivers best effort, at least once, in no order. */
export interface Disturbance {
  /** Chances in [0, 1]. */
  readonly lost: number;
  readonly duplicated: number;
  /** Each delivery is late by up to this long. */
  readonly lateSeconds: number;
}

export interface EventsWorld extends ServiceParts {
  readonly deliver: Deliver;
  readonly deliverySeconds: number;
  readonly rules: Map<string, Rule>;
  disturbance: Disturbance;
}

export const defaultBus = 'default';

/** There is one bus: the account's default one. */
export function checkBus(world: EventsWorld, busName: string | undefined): void {
  const arn = `arn:aws:events:${world.region}:${world.accountId}:event-bus/${defaultBus}`;
  if (busName !== undefined && busName !== defaultBus && busName !== arn)
    throw eventsErrors.busNotFound(busName);
}

export function findRule(world: EventsWorld, name: string | undefined): Rule {
  if (name === undefined) throw eventsErrors.validation('Parameter Rule must have a value.');
  const rule = world.rules.get(name);
  if (rule === undefined) throw eventsErrors.ruleNotFound(name, defaultBus);
  return rule;
}
