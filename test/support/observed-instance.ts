import { type DroverWorld, stateOf } from '../../local/world/drover-world.ts';
import type { LeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { readLeavingMark } from '../../shared/nodes/leaving-mark.ts';

export const nodeObjectOf = ({ kubernetes }: DroverWorld, instanceId: string) =>
  kubernetes.store
    .of('nodes')
    .list()
    .find(({ spec }) => spec?.providerID?.endsWith(instanceId));

export const nodeNameOf = (world: DroverWorld, instanceId: string): string =>
  nodeObjectOf(world, instanceId)?.metadata?.name ?? '';

export const markOf = (world: DroverWorld, instanceId: string): LeavingMark | undefined =>
  readLeavingMark(nodeObjectOf(world, instanceId)?.metadata?.annotations);

/** Lets time pass until the instance has left its group; gives the simulated seconds that it took. */
export async function untilGone(
  world: DroverWorld,
  instanceId: string,
  withinSeconds = 600,
): Promise<number> {
  const start = world.clock.now();
  await world.timeline.until(() => stateOf(world, instanceId) === undefined, {
    withinSeconds,
    what: `the end of ${instanceId}`,
  });
  return (world.clock.now() - start) / 1000;
}

/** Lets time pass until the passes have said this of the instance. */
export const untilSaid = (world: DroverWorld, instanceId: string, words: RegExp, withinSeconds = 600) =>
  world.timeline.until(() => passesOf(world, instanceId).some(({ reason }) => words.test(String(reason))), {
    withinSeconds,
    what: `a pass over ${instanceId} that says ${words.source}`,
  });

export const passesOf = (world: DroverWorld, instanceId: string) =>
  world.lines.filter(({ message, subject }) => message === 'pass' && subject === instanceId);

/** The Events on the instance's node, by reason. */
export const eventsOn = ({ kubernetes }: DroverWorld, nodeName: string): readonly string[] =>
  kubernetes.store
    .of('events')
    .list()
    .filter((event) => (event as { involvedObject?: { name?: string } }).involvedObject?.name === nodeName)
    .map((event) => String((event as { reason?: string }).reason));

/** How often functions called this, e.g. `autoscaling CompleteLifecycleAction`. */
export function countCalls() {
  const calls: string[] = [];
  return {
    onCall: ({ caller, what }: { caller: string; what: string }) => {
      if (caller !== 'lambda') calls.push(what);
    },
    count: (what: string): number => calls.filter((call) => call.startsWith(what)).length,
    reset: () => calls.splice(0),
  };
}
