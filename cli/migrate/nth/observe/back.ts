import { migratedTagKey } from '../../../../shared/groups/group-settings.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { observeGroups } from '../../../adopt/observe/groups.ts';
import { tagValues } from '../../../adopt/plan/role.ts';
import type { Refusal } from '../../../adopt/plan/step.ts';
import { otherClusterOf } from '../../../auto-scaling/other-cluster.ts';
import type { NthFlags } from '../flags.ts';
import type { NthGroup } from '../observation.ts';
import { unknownGroup } from '../plan/refusals.ts';
import { readRecord } from '../record.ts';
import { groupsWithTags, observeNthGroups } from './groups.ts';

/** The groups of the way back: those that are named, or those of the cluster with a record. The cluster and the handler are not asked. */
export async function observeBack(
  { group }: Pick<NthFlags, 'group'>,
  access: AdoptAccess,
): Promise<{ readonly groups: readonly NthGroup[]; readonly unknown: readonly Refusal[] }> {
  const { clusterName } = access.autoScaling;
  const isOther = (tags: Readonly<Record<string, string>>): boolean =>
    otherClusterOf(tags, clusterName) !== undefined;
  const names =
    group ??
    (await groupsWithTags(access, [migratedTagKey]))
      .filter(({ Tags = [] }) => !isOther(Object.fromEntries(Tags.map(({ Key = '' }) => [Key, '']))))
      .map(({ AutoScalingGroupName = '' }) => AutoScalingGroupName);
  const { groups, unknownGroups } = await observeGroups(names, access, false);
  const observed: NthGroup[] = [];
  for (const one of groups) {
    const reading = readRecord(tagValues(one));
    const managedTag = reading.kind === 'record' ? reading.record.managedTag : undefined;
    observed.push(...(await observeNthGroups(access, [one], managedTag)));
  }
  return {
    groups: observed.filter((one) => !isOther(tagValues(one.group))),
    unknown: [
      ...unknownGroups.map(unknownGroup),
      ...observed.filter((one) => isOther(tagValues(one.group))).map(foreign),
    ],
  };
}

const foreign = ({ group }: NthGroup): Refusal => ({
  subject: group.autoScalingGroupName,
  reason: `it belongs to cluster ${otherClusterOf(tagValues(group), '-')}`,
  remedy: 'give --cluster if you mean that cluster',
});
