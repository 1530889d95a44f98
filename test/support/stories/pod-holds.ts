import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { boundsOf, holdParameters, serving } from '../../../local/world/holds.ts';
import { deploymentOf, podsOf, putPodHold } from '../../../local/world/pod-holds.ts';
import { podsNamed, run } from '../../../local/world/workloads.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A hold for nine pods: their nodes are Ready before the pods exist, and afterwards the group has its own bounds. */
export const podHolds: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const before = boundsOf(world);
  putPodHold(world, { pods: podsOf('web', 9), minutes: 8 });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world) >= 3, {
      withinSeconds: 400,
      what: 'the nodes for the pods',
    }),
  );
  if (late.length > 0 || complaints(world).length > 0) return [...complaints(world), ...late];
  await run(world, deploymentOf('web', 9));
  const waiting = podsNamed(world, 'web').filter(({ spec }) => !spec?.nodeName);
  const unrestored = await endOf(() =>
    world.timeline.until(
      () =>
        complaints(world).length > 0 ||
        (boundsOf(world).minSize === before.minSize && holdParameters(world).length === 0),
      { withinSeconds: 1200, what: 'the end of the hold' },
    ),
  );
  const unread = world.lines.filter(
    ({ functionName, level, message }) =>
      functionName === 'prewarm' && level === 'warn' && String(message).includes('cannot be read'),
  );
  return [
    ...complaints(world),
    ...unread.map(({ message }) => String(message)),
    ...waiting.map(() => 'a pod waits for a node'),
    ...unrestored,
  ];
};

/** As above, in a group without a node: what its launch template says is all that is known of its next one. */
export const podHoldsFromZero: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 0, settings: { MinSize: 0, MaxSize: 10 } });
  putPodHold(world, { pods: podsOf('web', 1), minutes: 20 });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world) >= 1, {
      withinSeconds: 400,
      what: 'the node for the pod',
    }),
  );
  return [...complaints(world), ...late];
};
