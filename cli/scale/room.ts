import { emptiestFirst } from '../../shared/capacity/plan/emptying.ts';
import type { OccupiedNode } from '../../shared/capacity/plan/types.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';
import type { RoomFlags } from '../room/flags.ts';
import { leavingNodes } from '../room/leaving-nodes.ts';
import type { DrainRoom } from '../room/plan-room.ts';
import { roomOf } from '../room/room-of.ts';
import { roomText } from '../room/text.ts';
import type { CapacityPlan, Group, ScaleApi } from '../scale-api/client.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';

interface RoomOfScale {
  readonly plan: CapacityPlan;
  readonly api: Pick<ScaleApi, 'getGroup'>;
  readonly flags: RoomFlags & Pick<ScaleApiFlags, 'profile'>;
}

/**
 * Where the pods would go if Auto Scaling took the nodes with the most to move: it chooses the nodes itself. The group launches nothing for them, because
 * its capacity is what you set.
 *
 * @returns undefined if no node leaves, or if what a plan needs cannot be read, of which it warns.
 */
export async function roomOfScale(
  { plan, api, flags }: RoomOfScale,
  context: CliContext,
): Promise<DrainRoom | undefined> {
  const { autoScalingGroupName, from, desiredCapacity } = plan;
  if (desiredCapacity >= from) return undefined;
  return await roomOf(
    {
      flags,
      shrinking: autoScalingGroupName,
      ...(flags.profile !== undefined && {
        whyWithoutGroups:
          '--profile signs for the scale API: set AWS_PROFILE to see which new nodes would take them',
      }),
      warn: (message) => context.stderr.write(`warning: ${oneLine(message)}\n`),
      leaving: async (nodes) => {
        const members = membersOf(await api.getGroup(autoScalingGroupName), nodes);
        const chosen = fullest(members, from - desiredCapacity);
        return await leavingNodes(chosen, { cluster: clusterOf(flags, context), clock: context.clock });
      },
    },
    context,
  );
}

/** @throws CliError if the API does not say which nodes may leave, or they are not in the cluster of the kubeconfig. */
function membersOf(group: Group, nodes: readonly OccupiedNode[]): readonly OccupiedNode[] {
  const { autoScalingGroupName, countsUnits, members } = group;
  if (countsUnits)
    throw failed(
      `the sizes of ${autoScalingGroupName} are units of capacity, so the number of nodes is open`,
    );
  const staying = members.flatMap(({ lifecycleState, node }) =>
    lifecycleState === 'InService' && node.status === 'found' && node.leaving === undefined
      ? [node.name]
      : [],
  );
  if (staying.length === 0) throw failed(`the scale API sees no node of ${autoScalingGroupName} that stays`);
  const names = new Set(staying);
  const found = nodes.filter(({ node }) => names.has(node.name));
  if (found.length === 0)
    throw failed(
      `no node of ${autoScalingGroupName} is in the cluster that the kubeconfig names: give --kubeconfig or --context of its cluster`,
    );
  return found;
}

const failed = (message: string): CliError => new CliError(message, exitCodes.failed);

const fullest = (nodes: readonly OccupiedNode[], count: number): readonly string[] =>
  emptiestFirst(nodes)
    .map(({ name }) => name)
    .toReversed()
    .slice(0, count);

const mostNames = 5;

/** The same in sentences. */
export function scaleRoomText(room: DrainRoom): readonly string[] {
  const { nodes } = room;
  const more = nodes.length > mostNames ? ` and ${nodes.length - mostNames} more` : '';
  const names = `${nodes.slice(0, mostNames).join(', ')}${more}`;
  const taken = nodes.length === 1 ? 'the node with the most to move' : 'those with the most to move';
  const lines = roomText(room);
  return [
    `Auto Scaling chooses the ${counted(nodes.length, 'node')}. If it takes ${taken} (${names}):`,
    ...(lines.length > 0 ? lines : ['No pod needs another node.']),
  ];
}
