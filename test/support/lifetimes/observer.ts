import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { joiningHookName } from '../../../local/names.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { hopOf } from '../../../shared/passes/message-format.ts';
import type { LifetimePlan } from './plan/plan.ts';
import { rules } from './rules/all.ts';
import { passMessages } from './rules/messages.ts';
import type { Departure, Finding, Rule, View, Violation } from './rules/rule.ts';
import type { CapacityBook } from './watch/capacity-book.ts';
import type { Census, Resident } from './watch/census.ts';
import { createChronicle } from './watch/chronicle.ts';
import { createNotificationBook } from './watch/notification-book.ts';
import { createRollBook, type RollBook } from './watch/roll-book.ts';
import type { Watcher } from './watch/watched-host.ts';

/** Sees everything, asks the rules, and keeps the first violation. */
export interface Observer {
  readonly watcher: Watcher;
  readonly census: Census;
  readonly capacity: CapacityBook;
  readonly rolls: RollBook;
  readonly record: (line: string) => void;
  onStrike(call: CallInFlight, strike: Strike): void;
  /** The history and its faults begin or end now. */
  begin(): void;
  end(): void;
  /** Undefined before the history and after it. */
  secondsInHistory(): number | undefined;
  /** Looks at the world as this moment has left it. */
  look(): void;
  /** What is not yet as it must be in the end. */
  unsettled(): Finding;
  judgeEnd(): void;
  violation(): Violation | undefined;
  /** How often a message was replaced by a copy, since it had been received 900 times. */
  renewals(): number;
  /** How often a pass was killed once it had reserved a node to give it back. */
  leftReserved(): number;
  digest(): string;
}

function noteCompletion(
  resident: Resident,
  { at, hook }: { readonly at: number; readonly hook: string },
): void {
  if (hook !== joiningHookName) resident.completedAt = at;
  else if (resident.join) resident.join.completedAt = at;
}

const isRenewed = (body: string): boolean => hopOf(body) > 0;

const linesBefore = 40;
const sweepMilliseconds = 300_000;

export function createObserver(options: {
  readonly world: DroverWorld;
  readonly plan: LifetimePlan;
  readonly census: Census;
  readonly capacity: CapacityBook;
}): Observer {
  const { world, plan, census, capacity } = options;
  const chronicle = createChronicle(() => world.clock.now());
  const notifications = createNotificationBook();
  const rolls = createRollBook(world);
  const groupNames = plan.groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const outcomes = new Map<string, string>();
  let standing: ReadonlyMap<string, string> = new Map();
  let departures: readonly Departure[] = [];
  let startedAt: number | undefined;
  let hasEnded = false;
  let lastKilledAt: number | undefined;
  let withheldAt: number | undefined;
  let violation: Violation | undefined;
  let renewals = 0;
  let leftReserved = 0;
  /** When a pass last called AWS to give a node back. */
  let givesBackAt: number | undefined;

  const spellsSince = (since: number) =>
    plan.spells.filter(({ to, from }) => {
      const start = startedAt ?? Infinity;
      return start + to * 1000 >= since && start + from * 1000 <= world.clock.now();
    });
  const view = (): View => ({
    now: world.clock.now(),
    world,
    plan,
    census,
    capacity,
    notifications,
    rolls,
    spellsSince,
    lastKilledAt,
    sweepWithholds: withheldAt !== undefined && world.clock.now() - withheldAt < sweepMilliseconds * 2,
    departures,
  });
  const ask = (question: (rule: Rule, seen: View) => Finding): void => {
    if (violation) return;
    const seen = view();
    for (const rule of rules) {
      const finding = question(rule, seen);
      if (finding === undefined) continue;
      chronicle.record(`VIOLATION of ${rule.name}: ${finding}`);
      const at = new Date(seen.now).toISOString();
      const before = chronicle.last(linesBefore);
      violation = { seed: plan.seed, rule: rule.name, sentence: rule.sentence, finding, at, before };
      return;
    }
  };
  const watcher: Watcher = {
    now: () => world.clock.now(),
    onCall: (call) => {
      census.observe();
      if (call.kind === 'send' && call.caller === 'node-leaving' && call.bodies.some(isRenewed))
        renewals += 1;
      if (call.kind === 'give-back') givesBackAt = call.at;
      if (call.kind !== 'read') chronicle.record(`CALL ${call.caller} ${call.kind} ${call.what}`);
      ask((rule, seen) => rule.onCall?.(call, seen));
      notifications.asked(call);
      rolls.noted(call);
    },
    onAnswer: (answered) => {
      const { call, answer } = answered;
      if (call.kind !== 'read' || answer !== 200) chronicle.record(`ANSWER ${answer} to ${call.what}`);
      const completed = call.kind === 'complete' && (answer === 200 || typeof answer === 'string');
      const resident = completed ? census.find(call.instanceId) : undefined;
      if (resident && call.kind === 'complete') noteCompletion(resident, call);
      if (call.kind === 'set-bounds') capacity.setByDrover(call.autoScalingGroupName, call.at);
      ask((rule, seen) => rule.onAnswer?.(answered, seen));
      notifications.answered(answered, world.clock.now());
    },
    onLine: (functionName, text) => {
      const line = { functionName, ...(JSON.parse(text) as Record<string, unknown>) };
      const { message, subject, outcome, reason, causes } = line as Record<string, unknown>;
      if (String(message).startsWith('so many nodes')) withheldAt = world.clock.now();
      if (String(message).startsWith('a notification could not be sent'))
        notifications.gaveUp(functionName, world.clock.now());
      if (message === 'pass') outcomes.set(`${functionName} ${String(subject)}`, String(outcome));
      if (message !== undefined)
        chronicle.record(
          `LINE ${functionName} ${[message, subject, causes, outcome, reason].filter(Boolean).join(' ')}`,
        );
      ask((rule, seen) => rule.onLine?.(line, seen));
    },
  };
  const lookAtMessages = (): void => {
    const now = passMessages({ world });
    const subjects = new Set(now.values());
    departures = [...standing]
      .filter(([id]) => !now.has(id))
      .map(([, subject]) => ({
        subject,
        lastOutcome: outcomes.get(subject),
        othersStand: subjects.has(subject),
      }));
    standing = now;
  };
  return {
    watcher,
    census,
    capacity,
    rolls,
    record: (text) => chronicle.record(text),
    onStrike: (call, strike) => {
      chronicle.record(`FAULT ${strike.kind} ${call.caller} ${call.what}`);
      if (!strike.kind.startsWith('kill')) return;
      lastKilledAt = world.clock.now();
      const isGiveBack = call.to === 'aws' && givesBackAt === lastKilledAt;
      if (strike.kind === 'kill-before' && isGiveBack) leftReserved += 1;
    },
    begin: () => {
      startedAt = world.clock.now();
    },
    end: () => {
      hasEnded = true;
      world.account.events.disturb({});
    },
    secondsInHistory: () =>
      startedAt === undefined || hasEnded ? undefined : (world.clock.now() - startedAt) / 1000,
    look: () => {
      census.observe();
      lookAtMessages();
      rolls.observe(groupNames);
      ask((rule, seen) => rule.onMoment?.(seen));
    },
    unsettled: () => {
      for (const rule of rules) {
        const finding = rule.atEnd?.(view());
        if (finding !== undefined) return finding;
      }
      return undefined;
    },
    judgeEnd: () => ask((rule, seen) => rule.atEnd?.(seen)),
    violation: () => violation,
    renewals: () => renewals,
    leftReserved: () => leftReserved,
    digest: () => chronicle.digest(),
  };
}
