import type { LogLine } from '../../../../local/world/log-line.ts';
import type { World } from '../../worlds/world.ts';
import { markOf } from './nodes.ts';

/** What the passes over an instance have said. */
export const passesOf = ({ lines }: World, instanceId: string): readonly LogLine[] =>
  lines.filter(({ message, subject }) => message === 'pass' && subject === instanceId);

/** Lets time pass until a pass has said this of the instance. */
export const untilSaid = (
  world: World,
  instanceId: string,
  words: RegExp,
  withinSeconds = 60,
): Promise<void> =>
  world.until(() => passesOf(world, instanceId).some(({ reason }) => words.test(String(reason))), {
    withinSeconds,
    what: `a pass over ${instanceId} that says ${words.source}`,
  });

/** Lets time pass until the Node says that this is what its drain waits for. */
export const untilHeldBy = (world: World, instanceId: string, words: RegExp): Promise<void> =>
  world.until(async () => words.test((await markOf(world, instanceId))?.waitingFor.join() ?? ''), {
    withinSeconds: 25,
    what: `the Node of ${instanceId} says ${words.source}`,
  });

/** How many pods its passes have deleted past their budgets. */
export const forcedIn = (world: World, instanceId: string): number => sumOf(world, instanceId, 'podsForced');

/** How many pods its passes have evicted. */
export const evictedIn = (world: World, instanceId: string): number =>
  sumOf(world, instanceId, 'podsEvicted');

const sumOf = (world: World, instanceId: string, fact: string): number =>
  passesOf(world, instanceId)
    .map(({ facts }) => (facts as Readonly<Record<string, number>> | undefined)?.[fact] ?? 0)
    .reduce((sum, count) => sum + count, 0);
