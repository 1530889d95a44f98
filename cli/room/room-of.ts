import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import type { CliContext } from '../context.ts';
import { type RoomGroups, readRoom, readRoomGroups, withoutGroups } from '../plan/read-room.ts';
import { reasonOf } from '../reason-of.ts';
import type { RoomFlags } from './flags.ts';
import { type DrainRoom, type LeavingNode, planRoom } from './plan-room.ts';

export interface RoomRequest {
  /** The nodes that go, of those of the cluster. */
  readonly leaving: (nodes: PlanInput['nodes']) => Promise<readonly LeavingNode[]>;
  readonly flags: RoomFlags;
  /** A group that launches nothing, because it gets smaller. */
  readonly shrinking?: string;
  /** Why the groups are not read, if their AWS credentials are not known. */
  readonly whyWithoutGroups?: string;
  readonly warn: (message: string) => void;
}

/**
 * Plans where the pods of nodes that go would go. What a plan needs may be missing on this machine: then it warns, because the command is about
 * something else.
 *
 * @returns undefined if it cannot be read, with --no-room, or if no node goes.
 */
export async function roomOf(request: RoomRequest, context: CliContext): Promise<DrainRoom | undefined> {
  if (!request.flags.room) return undefined;
  const { warn } = request;
  try {
    const room = await readAndPlan(request, context);
    if (room !== undefined && room.warnings.length > 0)
      warn(`where the pods would go is not certain: ${room.warnings.join('; ')}`);
    return room;
  } catch (error) {
    warn(`where the pods would go is unknown: ${reasonOf(error)}`);
    return undefined;
  }
}

async function readAndPlan(request: RoomRequest, context: CliContext): Promise<DrainRoom | undefined> {
  const { flags, shrinking } = request;
  const { from, reason } = await groupsOf(request, context);
  const all = from.all.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const room = await readRoom(
    { from, ...(shrinking !== undefined && { growing: new Set(all.filter((name) => name !== shrinking)) }) },
    { ...flags, groups: true },
    context,
  );
  const leaving = await request.leaving(room.input.nodes);
  if (leaving.length === 0) return undefined;
  return { ...planRoom(leaving, room), ...(reason !== undefined && { withoutGroups: reason }) };
}

/** Without AWS the plan counts free room only. */
async function groupsOf(
  { flags, whyWithoutGroups }: RoomRequest,
  context: CliContext,
): Promise<{ readonly from: RoomGroups; readonly reason?: string }> {
  if (whyWithoutGroups !== undefined) return { from: withoutGroups, reason: whyWithoutGroups };
  if (!flags.cluster && !context.environment.DROVER_CLUSTER)
    return { from: withoutGroups, reason: 'set DROVER_CLUSTER to see which new nodes would take them' };
  try {
    return { from: await readRoomGroups({ ...flags, groups: true }, context) };
  } catch (error) {
    return { from: withoutGroups, reason: `the groups cannot be read: ${reasonOf(error)}` };
  }
}
