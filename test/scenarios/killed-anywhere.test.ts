import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { budget, deployment, podsNamed, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

/** Fails the call of that number among those that a function makes, once. */
function strikeNth(target: string, nth: number, kind: Strike['kind']) {
  let seen = 0;
  return {
    reached: () => seen >= nth,
    strike: ({ caller }: CallInFlight): Strike | undefined => {
      if (caller !== target) return undefined;
      seen += 1;
      return seen === nth ? ({ kind } as Strike) : undefined;
    },
  };
}

type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after';

/** A node of six pods under a budget leaves; gives whether the call was ever made. */
async function drainWith(target: string, nth: number, kind: StrikeKind): Promise<boolean> {
  const { strike, reached } = strikeNth(target, nth, kind);
  const world = createDroverWorld({ weather: { strike } });
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  await run(world, deployment({ name: 'web', replicas: 6 }), budget('web', { maxUnavailable: 2 }));
  const node = nodeNameOf(world, leaving);
  terminate(world, leaving, { replace: false });
  await world.timeline.until(
    () => {
      const terminates = stateOf(world, leaving) === 'Terminating:Proceed';
      if (terminates) expect(podsOn(world, node), `pods left after ${kind} of call ${nth}`).toEqual([]);
      return stateOf(world, leaving) === undefined;
    },
    { withinSeconds: 1500, what: `the end after ${kind} of call ${nth}` },
  );
  await world.timeline.pass(60);
  expect(nodesOf(world), `nodes after ${kind} of call ${nth}`).toHaveLength(1);
  expect(podsNamed(world, 'web').filter(({ status }) => status?.phase === 'Running')).toHaveLength(6);
  return reached();
}

const kinds: readonly StrikeKind[] = ['fail-before', 'fail-after', 'kill-after'];

describe.each([
  { name: 'node-leaving', leastCalls: 15 },
  { name: 'intake', leastCalls: 2 },
])('the function $name', ({ name, leastCalls }) => {
  it.each(kinds)(
    'loses nothing and completes nothing early when any one of its calls meets %s',
    async (kind) => {
      let nth = 1;
      while (await drainWith(name, nth, kind)) nth += 1;
      expect(nth).toBeGreaterThan(leastCalls);
    },
  );
});
