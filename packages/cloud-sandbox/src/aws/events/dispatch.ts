import type { Target } from '@aws-sdk/client-eventbridge';
import type { Sender } from '../integration.ts';
import { deliverWithRetries } from './delivery.ts';
import { type EventEnvelope, envelope } from './envelope.ts';
import { targetInput } from './input.ts';
import type { Json } from './json.ts';
import type { EventsWorld, Rule } from './rules.ts';
import { nextRun } from './schedule-expression.ts';

/** Sends an event to the targets of every rule that matches it. */
export function dispatch(world: EventsWorld, event: EventEnvelope): void {
  const content = JSON.parse(JSON.stringify(event)) as Json;
  for (const rule of world.rules.values()) {
    if (rule.state !== 'DISABLED' && rule.test?.(content) === true) sendToTargets(world, rule, event);
  }
}

function sendToTargets(world: EventsWorld, rule: Rule, event: EventEnvelope): void {
  rule.metrics.matched += 1;
  for (const target of rule.targets.values()) {
    const body = targetInput(target, event, rule);
    for (let copy = 0; copy < copies(world); copy++) {
      world.clock.after(delayMilliseconds(world), () =>
        deliverWithRetries(world, { target, body, sender: senderOf(rule, target) }, (end) => {
          if (end === 'delivered') rule.metrics.delivered += 1;
          else if (end === 'dead-lettered') rule.metrics.deadLettered += 1;
          else rule.metrics.dropped += 1;
        }),
      );
    }
  }
}

/** Queues, topics and functions let a rule in by their own policies, unless the target names a role. */
const senderOf = (rule: Rule, { RoleArn: roleArn }: Target): Sender => ({
  service: 'events.amazonaws.com',
  sourceArn: rule.arn,
  ...(roleArn !== undefined && { roleArn }),
});

/** A random number is drawn only if there is a disturbance, so that a quiet run draws nothing. */
function copies({ disturbance, random }: EventsWorld): number {
  if (disturbance.lost > 0 && random.next() < disturbance.lost) return 0;
  return disturbance.duplicated > 0 && random.next() < disturbance.duplicated ? 2 : 1;
}

function delayMilliseconds({ disturbance, random, deliverySeconds }: EventsWorld): number {
  const late = disturbance.lateSeconds > 0 ? random.next() * disturbance.lateSeconds : 0;
  return Math.round((deliverySeconds + late) * 1000);
}

/** Sets the timer of a rule with a schedule; a rate begins to count now. */
export function armSchedule(world: EventsWorld, rule: Rule): void {
  rule.timer?.cancel();
  rule.timer = undefined;
  const { schedule } = rule;
  if (schedule === undefined || rule.state === 'DISABLED') return;
  const start = world.clock.now();
  const arm = (): void => {
    const at = nextRun(schedule, { after: world.clock.now(), timeZone: 'UTC', start });
    if (at === undefined) return;
    rule.timer = world.clock.after(at - world.clock.now(), () => {
      arm();
      sendToTargets(world, rule, scheduledEvent(world, rule));
    });
  };
  arm();
}

const scheduledEvent = (world: EventsWorld, rule: Rule): EventEnvelope =>
  envelope(world, { source: 'aws.events', detailType: 'Scheduled Event', resources: [rule.arn], detail: {} });
