import { shellWord } from '../base/shell-words.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import type { FoundProblem } from './problem.ts';

/** The tag by which AWS Node Termination Handler finds the instances of a group, unless its setting `managed-tag` names another one. */
export const nthManagedTag = 'aws-node-termination-handler/managed';

/**
 * AWS Node Termination Handler beside Drover on a managed group: both drain its nodes, and it completes each hook whose event it gets, also
 * Drover's, as soon as its own drain is done. Read from the tags, because not every surface reads hooks. Pure.
 */
export function secondDrainerProblems(
  { autoScalingGroupName: subject, tags }: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>,
  clusterName: string,
): readonly FoundProblem[] {
  if (tags[nthManagedTag] === undefined) return [];
  return [
    {
      kind: 'second-drainer',
      subject,
      message: `AWS Node Termination Handler drains it too (tag ${nthManagedTag}), and may complete Drover’s hook before Drover’s drain is done`,
      command: `drover migrate nth --group ${shellWord(subject)} --cluster ${shellWord(clusterName)}`,
    },
  ];
}
