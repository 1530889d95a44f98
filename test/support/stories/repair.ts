import { createDroverWorld, stateOf, withWorkers } from '../../../local/world/drover-world.ts';
import { complaints, endOf, type Story } from './story.ts';

/** What repair takes: a kubelet that dies for good, in a group that asks for it. */
export const repair: Story = async (options) => {
  const world = createDroverWorld(options);
  const [dead = ''] = await withWorkers(world, { size: 3, tags: { 'drover.dev/repair': 'NotReady=5m' } });
  world.kubelets.get(dead)?.stop();
  const overdue = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || stateOf(world, dead) === undefined, {
      withinSeconds: 1800,
      what: 'the end of the instance',
    }),
  );
  return [...complaints(world), ...overdue];
};
