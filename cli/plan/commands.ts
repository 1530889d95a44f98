import { shellWord } from '../../shared/base/shell-words.ts';
import { type GroupRow, neededSize } from './group-rows.ts';

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
