import { describe, expect, it } from 'vitest';
import { createDroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { deployment, run } from '../../local/world/workloads.ts';
import { eventsOn, markOf, nodeNameOf, passesOf } from '../support/observed-instance.ts';

describe('evictions that the API server forbids', () => {
  it('are reported on the Node and in the passes long before the deadline', async () => {
    const world = createDroverWorld({
      editRbac: (manifests) =>
        manifests.map((manifest) =>
          manifest.kind === 'ClusterRole'
            ? {
                ...manifest,
                rules: (manifest.rules ?? []).filter(
                  ({ resources }) => !resources?.includes('pods/eviction'),
                ),
              }
            : manifest,
        ),
    });
    const [leaving = ''] = await withWorkers(world, { size: 1 });
    await run(world, deployment({ name: 'web', replicas: 2 }));
    const node = nodeNameOf(world, leaving);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(200);
    expect(markOf(world, leaving)?.waitingFor.join()).toMatch(/default\/web-.*forbidden/);
    expect(eventsOn(world, node)).toContain('DrainHeld');
    expect(passesOf(world, leaving).at(-1)).toMatchObject({
      reason: expect.stringMatching(/2 of them held.*forbidden/),
      facts: { waitsFor: 'refused' },
    });
  });
});
