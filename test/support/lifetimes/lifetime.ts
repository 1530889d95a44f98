import { createRandom } from '@drover/cloud-sandbox/simulation';
import { functionsFromSource } from '../../../local/cloud/functions.ts';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import type { CreateHandler } from '../../../shared/runtime/host.ts';
import { endPauses, live, type Scene } from './live-history.ts';
import { onSimulatedTime } from './machine-time.ts';
import { createObserver, type Observer } from './observer.ts';
import { type LifetimePlan, planLifetime } from './plan/plan.ts';
import { endRolls } from './roll-deeds.ts';
import type { Violation } from './rules/rule.ts';
import { asksIn, createUsedNames, kubeletOf, setStage } from './stage.ts';
import { bootstrapParameterOf } from './stranger.ts';
import { createCapacityBook } from './watch/capacity-book.ts';
import { createCensus } from './watch/census.ts';
import { watchedHost } from './watch/watched-host.ts';
import { weatherOf } from './weather.ts';

/** What became of one lifetime. */
export interface LifetimeReport {
  readonly seed: number;
  readonly violation?: Violation;
  readonly calls: number;
  readonly simulatedSeconds: number;
  /** How often a message was replaced by a copy, since it had been received 900 times. */
  readonly renewals: number;
  /** How often a pass was killed once it had reserved a node to give it back. */
  readonly leftReserved: number;
  /** How many instances rolls have taken. */
  readonly rolled: number;
  /** The same for two runs that were alike in everything. */
  readonly digest: string;
}

/** Puts a bug into one of Drover's functions. */
export type Sabotage = (functionName: string, create: CreateHandler) => CreateHandler;

/** So long may it take, once all faults are over, until nothing is left to do: some of the longest graces, one after another. */
const patienceSeconds = 9000;

/** Lives one lifetime and checks every rule all the way; ends at the first violation. */
export async function liveLifetime(
  seed: number,
  {
    sabotage,
    plan = planLifetime(seed),
  }: { readonly sabotage?: Sabotage; readonly plan?: LifetimePlan } = {},
): Promise<LifetimeReport> {
  const { world, observer } = createWatchedWorld(plan, sabotage);
  const start = world.clock.now();
  await onSimulatedTime({ clock: world.clock, random: createRandom(seed) }, async () => {
    await setStage(world, plan);
    await liveThrough(world, plan, observer);
    world.lambda.stop();
  });
  return {
    seed,
    ...(observer.violation() && { violation: observer.violation() }),
    calls: world.activity.count(),
    simulatedSeconds: Math.round((world.clock.now() - start) / 1000),
    renewals: observer.renewals(),
    leftReserved: observer.leftReserved(),
    rolled: observer.rolls.taken.size,
    digest: observer.digest(),
  };
}

function createWatchedWorld(plan: LifetimePlan, sabotage: Sabotage = (_name, create) => create) {
  let observer: Observer | undefined;
  const seconds = (): number | undefined => observer?.secondsInHistory();
  const weather = weatherOf(plan, { seconds, onStrike: (call, strike) => observer?.onStrike(call, strike) });
  const watched: CreateHandlers = Object.fromEntries(
    Object.entries(functionsFromSource).map(([name, create]) => [
      name,
      (host) => {
        if (observer === undefined) throw new Error('a function started before the observer');
        return sabotage(name, create)(watchedHost(host, name, observer.watcher));
      },
    ]),
  );
  const names = createUsedNames(
    (instanceId) => (world.account.ec2.instances.find(instanceId)?.state ?? 'terminated') === 'terminated',
  );
  const world: DroverWorld = createDroverWorld({
    seed: plan.seed,
    weather,
    functions: watched,
    duplicateChance: plan.duplicateChance,
    hookChangesReachWaits: plan.conditions.hookChangesReachWaits,
    ...(plan.conditions.requestLimits && { requestLimits: plan.conditions.requestLimits }),
    kubelets: {
      configure: (instance) => kubeletOf(plan, instance, names),
      ask: {
        asks: (instance) => asksIn(plan, instance),
        bootstrapParameter: () => bootstrapParameterOf(world),
      },
    },
  });
  observer = createObserver({
    world,
    plan,
    census: createCensus(world),
    capacity: createCapacityBook(world),
  });
  return { world, observer };
}

type CreateHandlers = Readonly<Record<string, CreateHandler>>;

async function liveThrough(world: DroverWorld, plan: LifetimePlan, observer: Observer): Promise<void> {
  const scene: Scene = { world, groups: plan.groups, ...observer };
  observer.begin();
  disturbEvents(world, plan);
  for (const step of [...plan.history, undefined]) {
    await passUntil(world, observer, step?.at ?? plan.seconds);
    if (observer.violation()) return;
    if (step) await live(scene, step);
  }
  observer.end();
  endPauses(scene);
  await endRolls(scene);
  await settleDown(world, observer);
}

function disturbEvents({ clock, account }: DroverWorld, { spells }: LifetimePlan): void {
  for (const { from, to, ...spell } of spells) {
    if (spell.kind !== 'events-disturbed') continue;
    clock.after(from * 1000, () => account.events.disturb(spell));
    clock.after(to * 1000, () => account.events.disturb({}));
  }
}

/** Lets time pass up to this second of the history, with an eye on every moment. */
async function passUntil(world: DroverWorld, observer: Observer, second: number): Promise<void> {
  const left = second - (observer.secondsInHistory() ?? second);
  if (left <= 0) return;
  const end = world.clock.now() + left * 1000;
  await world.timeline.until(
    () => {
      observer.look();
      return observer.violation() !== undefined || world.clock.now() >= end;
    },
    { withinSeconds: left, what: 'time' },
  );
}

async function settleDown(world: DroverWorld, observer: Observer): Promise<void> {
  const end = world.clock.now() + patienceSeconds * 1000;
  while (world.clock.now() < end && observer.unsettled() !== undefined) {
    const next = world.clock.now() + 30_000;
    await world.timeline.until(
      () => {
        observer.look();
        return observer.violation() !== undefined || world.clock.now() >= next;
      },
      { withinSeconds: 30, what: 'time' },
    );
    if (observer.violation()) return;
  }
  observer.judgeEnd();
}
