import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { putHold, serving } from '../../../local/world/holds.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A group gives its empty nodes back after a hold. */
export const givingBack: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, {
    size: 1,
    tags: { 'drover.dev/give-back-empty': 'true' },
    settings: { MinSize: 1, MaxSize: 3 },
  });
  putHold(world, { nodes: 2, minutes: 10 });
  await world.timeline.pass(400);
  const kept = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world) === 1, {
      withinSeconds: 1200,
      what: 'the end of the empty node',
    }),
  );
  return [...complaints(world), ...kept];
};
