import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { heldDeployment, request, run } from '../../local/world/workloads.ts';
import { markOf, nodeNameOf, nodeObjectOf, passesOf, untilSaid } from '../support/observed-instance.ts';

const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** A node whose budget holds its pods while its instance waits. */
async function drainingNode(
  heartbeatTimeoutSeconds: number,
): Promise<{ world: DroverWorld; leaving: string }> {
  const world = createDroverWorld();
  const [leaving = ''] = await withWorkers(world, {
    size: 2,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    tags: { 'drover.dev/drain-timeout': '2h' },
  });
  await run(world, ...heldDeployment({ name: 'held', replicas: 2 }));
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /held/);
  return { world, leaving };
}

const uncordoning = {
  all: { spec: { unschedulable: null }, metadata: { labels: { [excluded]: null } } },
  'the cordon': { spec: { unschedulable: null } },
  'the label of load balancers': { metadata: { labels: { [excluded]: null } } },
  'everything, the mark and its label too': {
    spec: { unschedulable: null },
    metadata: {
      labels: { [excluded]: null, 'drover.dev/leaving': null },
      annotations: { 'drover.dev/leaving': null },
    },
  },
} as const;

const isWhole = (world: DroverWorld, instanceId: string): boolean => {
  const node = nodeObjectOf(world, instanceId);
  return node?.spec?.unschedulable === true && node.metadata?.labels?.[excluded] === 'true';
};

// NTH #476.
describe('a draining node that something else uncordons', () => {
  it.each(
    Object.entries(uncordoning).flatMap(([what, patch]) =>
      [300, 3600].map((seconds) => [what, seconds, patch] as const),
    ),
  )(
    'is whole again in the next pass, and the pass says so (%s, heartbeat timeout %i s)',
    async (_, seconds, patch) => {
      const { world, leaving } = await drainingNode(seconds);
      const until = markOf(world, leaving)?.until;
      await request(world, 'PATCH', `/api/v1/nodes/${nodeNameOf(world, leaving)}`, patch);
      for (let open = 0; open <= 30 && !isWhole(world, leaving); open += 1) await world.timeline.pass(1);
      expect(isWhole(world, leaving)).toBe(true);
      await untilSaid(world, leaving, /something else has uncordoned the node/, 60);
      expect(markOf(world, leaving)).toMatchObject({ until, uncordonedAt: expect.any(String) });
    },
  );

  it('is patched once, and not in the passes after', async () => {
    const { world, leaving } = await drainingNode(300);
    await request(world, 'PATCH', `/api/v1/nodes/${nodeNameOf(world, leaving)}`, uncordoning.all);
    await world.timeline.pass(300);
    const said = passesOf(world, leaving).filter(({ reason }) => /has uncordoned/.test(String(reason)));
    expect(said).toHaveLength(1);
  });
});
