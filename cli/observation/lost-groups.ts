import { describeGroups } from '../../shared/aws/auto-scaling.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { type Part, partReader } from './part.ts';

/** Hooks cost a call for each group, and Auto Scaling limits the calls of the whole account. */
const mostGroups = 20;

const ageSeconds = 60;

const prefix = 'drover.dev/';

/**
 * Reads the groups of these instances that are not listed with the cluster's, because they have lost its tag or never had it. Groups with a
 * tag of Drover come first, and at most twenty are read.
 */
async function readLostGroups(
  { client, describeInstance }: Pick<AutoScalingAccess, 'client' | 'describeInstance'>,
  instanceIds: readonly string[],
  tagged: readonly AutoScalingGroup[],
): Promise<readonly AutoScalingGroup[]> {
  const instances = await Promise.all(instanceIds.map((id) => describeInstance(id)));
  const names = new Set(instances.flatMap((instance) => instance?.autoScalingGroupName ?? []));
  for (const group of tagged) names.delete(group.autoScalingGroupName);
  const groups: AutoScalingGroup[] = [];
  const all = [...names].toSorted();
  for (let start = 0; start < all.length; start += namesPerCall) {
    const AutoScalingGroupNames = all.slice(start, start + namesPerCall);
    groups.push(
      ...(await describeGroups(client, { AutoScalingGroupNames, MaxRecords: namesPerCall })).groups,
    );
  }
  const isOurs = ({ tags }: AutoScalingGroup): boolean =>
    Object.keys(tags).some((key) => key.startsWith(prefix));
  return groups.toSorted((one, other) => Number(isOurs(other)) - Number(isOurs(one))).slice(0, mostGroups);
}

/** Auto Scaling describes so many groups in one response. */
const namesPerCall = 100;

/** Reads again if the instances are others, or after a minute. No call is made while every Node is of a listed group. */
export function lostGroupsReader(
  access: () => Pick<AutoScalingAccess, 'client' | 'describeInstance'>,
  clock: TimerClock,
): (
  nodeInstanceIds: Iterable<string>,
  tagged: readonly AutoScalingGroup[],
) => Promise<Part<readonly AutoScalingGroup[]>> {
  const read = partReader(
    { clock, maximumAgeSeconds: ageSeconds, keyOf: ([ids]) => ids.join() },
    (ids: readonly string[], tagged: readonly AutoScalingGroup[]) =>
      ids.length === 0 ? Promise.resolve([]) : readLostGroups(access(), ids, tagged),
  );
  return (nodeInstanceIds, tagged) => {
    const listed = new Set(tagged.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
    return read([...new Set(nodeInstanceIds)].filter((id) => !listed.has(id)).toSorted(), tagged);
  };
}
