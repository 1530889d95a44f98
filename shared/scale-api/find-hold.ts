import type * as z from 'zod/mini';
import { holdStateOf } from '../capacity/holds/hold-state.ts';
import { holdsOfGroup } from '../capacity/holds/parameter-names.ts';
import { holdsIn } from '../capacity/holds/read-holds.ts';
import { observeNodes } from '../capacity/observed-nodes.ts';
import { viewHold, viewHolds } from './hold-views.ts';
import { ProblemError } from './problem.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import type { listedHold } from './schemas/answers/hold.ts';

/**
 * One hold, and how far it is; of one that waits, why the newest launch failed.
 *
 * @throws ProblemError with status 404.
 */
export async function findHold(
  context: ScaleContext,
  { groupName, name }: { readonly groupName: string | undefined; readonly name: string },
): Promise<z.infer<typeof listedHold>> {
  const group = await findManagedGroup(context, groupName);
  const { parameters, paths } = context.holds();
  const [texts, nodes] = await Promise.all([
    parameters.listBelow(holdsOfGroup(paths, group.autoScalingGroupName)),
    observeNodes(context.cluster, context.onClusterFailure),
  ]);
  const facts = { nodes, now: context.now() };
  const readings = holdsIn(texts, paths).filter(
    (reading) => (reading.kind === 'hold' ? reading.hold : reading).name === name,
  );
  const [view] = viewHolds(readings, { groups: [group], ...facts });
  if (view === undefined) throw holdNotFound();
  const [reading] = readings;
  if (view.state !== 'waiting' || reading?.kind !== 'hold') return view;
  const failedLaunch = await context.groups.readFailedLaunch(group.autoScalingGroupName);
  return { ...viewHold(reading.hold), ...holdStateOf(reading.hold, { ...facts, group, failedLaunch }) };
}

export const holdNotFound = (): ProblemError =>
  new ProblemError({ code: 'hold-not-found', detail: 'the group has no hold of that name' });
