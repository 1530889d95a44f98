import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import {
  createDroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsNamed, podsOn, run } from '../../local/world/workloads.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { excludeFromLoadBalancersLabel } from '../../shared/nodes/node-keys.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

type Kind = 'fail-before' | 'kill-after';

/** Two of three nodes are replaced at once, and one call of node-leaving fails; gives whether that call was ever made. */
async function replaceWith(nth: number, kind: Kind): Promise<boolean> {
  let seen = 0;
  const strike = ({ caller }: CallInFlight): Strike | undefined => {
    if (caller !== 'node-leaving') return undefined;
    seen += 1;
    return seen === nth ? { kind } : undefined;
  };
  const world = createDroverWorld({ weather: { strike } });
  const tags = { 'drover.dev/await-replacement': 'true' };
  const ids = await withWorkers(world, { size: 3, tags, settings: { MaxSize: 3 } });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  const [first = '', second = ''] = ids;
  const leaving = [first, second];
  const names = leaving.map((id) => nodeNameOf(world, id));
  for (const id of leaving) terminate(world, id);
  const what = `after ${kind} of call ${nth}`;
  await world.timeline.until(
    () => {
      const serving = world.kubernetes.store
        .of('nodes')
        .list()
        .filter((node) => isNodeReady(node) && !node.metadata?.labels?.[excludeFromLoadBalancersLabel]);
      expect(serving.length, what).toBeGreaterThanOrEqual(3);
      for (const [index, id] of leaving.entries())
        if (stateOf(world, id) === 'Terminating:Proceed')
          expect(podsOn(world, names[index] ?? ''), what).toEqual([]);
      return leaving.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds: 1800, what: `the end ${what}` },
  );
  await world.timeline.pass(60);
  expect(nodesOf(world), what).toHaveLength(3);
  expect(membersOf(world), what).toHaveLength(3);
  expect(podsNamed(world, 'web').filter(({ status }) => status?.phase === 'Running')).toHaveLength(6);
  return seen >= nth;
}

it.each(['fail-before', 'kill-after'] as const)(
  'two nodes that await their replacements leave none of the desired nodes out when any one call of node-leaving meets %s',
  async (kind) => {
    let nth = 1;
    while (await replaceWith(nth, kind)) nth += 1;
    expect(nth).toBeGreaterThan(20);
  },
);
