import { type AutoScalingGroup, isSuspended } from '../groups/group.ts';

/** What a size of a group is a number of: instances or nodes, or units of them. */
export const countedIn = (
  { countsUnits }: Pick<AutoScalingGroup, 'countsUnits'>,
  word: 'instances' | 'nodes',
): string => (countsUnits ? `units of ${word}` : word);

/** The end of a sentence about what Auto Scaling has yet to do, where the group suspends it. */
export const suspensionWords = (
  group: Pick<AutoScalingGroup, 'suspendedProcesses'>,
  process: 'Launch' | 'Terminate',
): string => (isSuspended(group, process) ? `; the group suspends ${process}` : '');
