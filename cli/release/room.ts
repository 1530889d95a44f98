import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { CliContext } from '../context.ts';
import { leavingNodes } from '../room/leaving-nodes.ts';
import type { DrainRoom } from '../room/plan-room.ts';
import { type RoomRequest, roomOf } from '../room/room-of.ts';
import type { PlannedRelease } from './plan.ts';

interface RoomOfRelease extends Pick<RoomRequest, 'flags' | 'warn'> {
  readonly cluster: DrainCluster;
}

/**
 * Where the pods of the instances that EC2 would terminate would go.
 *
 * @returns undefined if none terminates, or if what a plan needs cannot be read, of which it warns.
 */
export async function roomOfRelease(
  planned: readonly PlannedRelease[],
  { cluster, ...request }: RoomOfRelease,
  context: CliContext,
): Promise<DrainRoom | undefined> {
  const names = planned.filter(terminates).flatMap(({ nodes = [] }) => nodes);
  if (names.length === 0) return undefined;
  const leaving = () => leavingNodes(names, { cluster, clock: context.clock });
  return await roomOf({ ...request, leaving }, context);
}

/** Instances that launch, go into their warm pool or reboot keep their Nodes. */
const terminates = ({ kind, wait }: PlannedRelease): boolean =>
  kind === 'complete' && wait.lifecycleState.endsWith('Terminating:Wait');
