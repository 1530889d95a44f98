import { describe, expect, it } from 'vitest';
import { createDroverWorld, nodesOf, stateOf, terminate, withWorkers } from '../support/drover-world.ts';

describe('an instance that is terminated', () => {
  it('is drained, its Node deleted, its hook completed', async () => {
    const world = createDroverWorld();
    const [first = ''] = await withWorkers(world, { size: 3 });
    terminate(world, first, { replace: false });
    await world.timeline.until(() => stateOf(world, first) === undefined, {
      withinSeconds: 120,
      what: 'the end',
    });
    expect(world.problems).toEqual([]);
    expect(nodesOf(world)).toHaveLength(2);
  });
});
