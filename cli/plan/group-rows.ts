import { shellWord } from '../../shared/base/shell-words.ts';
import type { Plan } from '../../shared/capacity/plan/plan.ts';
import { reasons } from '../../shared/capacity/plan/reasons.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';

/** A group of the plan. */
export interface GroupRow {
  readonly autoScalingGroupName: string;
  /** Its nodes that give room. */
  readonly readyNodes: number;
  /** Its nodes that give none: cordoned, leaving or not Ready. */
  readonly closedNodes: number;
  readonly newNodes: number;
  /** How many of the new nodes Auto Scaling launches already. */
  readonly launching: number;
  readonly desiredCapacity: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** The sizes count units instead of instances. */
  readonly countsUnits: boolean;
  /** Why it cannot grow for the plan, if nothing is known of its next node. */
  readonly reason?: string;
}

type Input = Pick<PlanInput, 'nodes' | 'groups' | 'groupsWithoutTemplate'>;

/** The groups of a plan with what they have and need. */
export function groupRows(
  plan: Pick<Plan, 'newNodes'>,
  { nodes, groupsWithoutTemplate }: Pick<Input, 'nodes' | 'groupsWithoutTemplate'>,
  groups: readonly AutoScalingGroup[],
): readonly GroupRow[] {
  const rows = groups.map((group): GroupRow => {
    const { autoScalingGroupName, desiredCapacity, minSize, maxSize, countsUnits } = group;
    const own = nodes.filter(({ node }) => node.autoScalingGroupName === autoScalingGroupName);
    const readyNodes = own.filter(({ node }) => node.closed === undefined).length;
    const newNodes = plan.newNodes.get(autoScalingGroupName) ?? 0;
    const missing = countsUnits ? 0 : Math.max(0, desiredCapacity - own.length);
    const reason = groupsWithoutTemplate.find(
      (one) => one.autoScalingGroupName === autoScalingGroupName,
    )?.reason;
    return {
      autoScalingGroupName,
      readyNodes,
      closedNodes: own.length - readyNodes,
      newNodes,
      launching: Math.min(newNodes, missing),
      desiredCapacity,
      minSize,
      maxSize,
      countsUnits: countsUnits === true,
      ...(reason !== undefined && { reason }),
    };
  });
  return rows.toSorted((one, other) => (one.autoScalingGroupName < other.autoScalingGroupName ? -1 : 1));
}

/** The size at which a group has the new nodes of a plan. Its desired capacity has the nodes that it launches already. */
export const neededSize = ({ desiredCapacity, newNodes, launching }: GroupRow): number =>
  desiredCapacity + newNodes - launching;

/** Nodes that count in a plan although no group of it has them, and those that give no room. */
export interface OtherNodes {
  /** Nodes outside the groups of the plan that give room. */
  readonly outside: number;
  readonly cordoned: number;
  readonly notReady: number;
}

export function otherNodes(
  { nodes }: Pick<Input, 'nodes'>,
  groups: readonly Pick<AutoScalingGroup, 'autoScalingGroupName'>[],
): OtherNodes {
  const names = new Set(groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const planned = nodes.map(({ node }) => node);
  return {
    outside: planned.filter(
      ({ autoScalingGroupName, closed }) =>
        closed === undefined && (autoScalingGroupName === undefined || !names.has(autoScalingGroupName)),
    ).length,
    cordoned: planned.filter(({ closed }) => closed === reasons.unschedulable).length,
    notReady: planned.filter(({ closed }) => closed !== undefined && closed !== reasons.unschedulable).length,
  };
}

/** The commands that provide the new nodes of one group. */
export interface GroupCommands {
  readonly autoScalingGroupName: string;
  readonly newNodes: number;
  /** Keeps them until a time. */
  readonly hold: string;
  /** Starts them once, without a promise that they stay. */
  readonly scale: string;
}

/** The commands for the groups that need nodes. A group that counts units gets none: the plan does not know how many units a node has. */
export const commandsFor = (
  groups: readonly GroupRow[],
  cluster: string | undefined,
): readonly GroupCommands[] =>
  groups
    .filter(({ newNodes, launching, countsUnits }) => newNodes > launching && !countsUnits)
    .map((group) => {
      const name = shellWord(group.autoScalingGroupName);
      const size = neededSize(group);
      return {
        autoScalingGroupName: group.autoScalingGroupName,
        newNodes: group.newNodes,
        hold: `drover hold create ${name} ${size} --for 2h${cluster === undefined ? '' : ` --cluster ${shellWord(cluster)}`}`,
        scale: `drover scale ${name} ${size}`,
      };
    });
