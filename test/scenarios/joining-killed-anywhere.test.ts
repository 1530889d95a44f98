import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../../local/world/drover-world.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';

type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after' | 'hang-before';

/** One fault in the call with this number of a function. */
function strikeNth(target: string, nth: number, kind: StrikeKind) {
  let seen = 0;
  return {
    reached: () => seen >= nth,
    strike: ({ caller }: CallInFlight): Strike | undefined => {
      if (caller !== target) return undefined;
      seen += 1;
      return seen === nth ? { kind } : undefined;
    },
  };
}

/** Launches two instances and returns whether the call was made. */
async function joinWith(target: string, nth: number, kind: StrikeKind): Promise<boolean> {
  const { strike, reached } = strikeNth(target, nth, kind);
  const world = await startJoiningWorld({ weather: { strike } });
  launchWorkers(world, 2);
  const what = `both in service after ${kind} of call ${nth}`;
  await world.timeline.until(() => inService(world).length === 2, { withinSeconds: 400, what });
  const nodes = world.kubernetes.store.of('nodes').list();
  for (const { InstanceId } of membersOf(world))
    expect(
      nodes.filter(({ spec }) => spec?.providerID?.endsWith(`/${InstanceId}`)),
      what,
    ).toHaveLength(1);
  return reached();
}

const kinds: readonly StrikeKind[] = ['fail-before', 'fail-after', 'kill-after', 'hang-before'];

describe('a launch', () => {
  it.each(kinds)(
    'is in service, and nothing is terminated, when any one call of node-joining meets %s',
    async (kind) => {
      let nth = 1;
      while (await joinWith('node-joining', nth, kind)) nth += 1;
      expect(nth).toBeGreaterThan(10);
    },
  );
});
