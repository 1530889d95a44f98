import { describeGroups } from '../../shared/aws/auto-scaling.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import { isRecent } from '../../shared/base/is-recent.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { type Part, partReader } from './part.ts';

/** Hooks cost a call for each group, and Auto Scaling limits the calls of the whole account. */
const mostGroups = 20;

const ageSeconds = 60;

const prefix = 'drover.dev/';

/**
 * Reads those of these groups that are not listed with the cluster's, because they have lost its tag or never had it. Groups with a
 * tag of Drover come first, and at most twenty are read.
 */
async function readLostGroups(
  client: AutoScalingAccess['client'],
  groupNames: readonly string[],
  tagged: readonly AutoScalingGroup[],
): Promise<readonly AutoScalingGroup[]> {
  const names = new Set(groupNames);
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

/**
 * The names of the groups of instances, each read once a minute: of hundreds of Nodes without a group, another one comes or goes at any time.
 * Only the instances of the last call are remembered.
 */
function groupNamesReader(clock: TimerClock) {
  let known = new Map<string, { readonly name: string | undefined; readonly at: number }>();
  return async (
    describeInstance: AutoScalingAccess['describeInstance'],
    instanceIds: readonly string[],
  ): Promise<readonly string[]> => {
    const now = clock.now();
    const found = await Promise.all(
      instanceIds.map(async (id) => {
        const before = known.get(id);
        if (before && isRecent(before.at, { now, seconds: ageSeconds })) return [id, before] as const;
        return [id, { name: (await describeInstance(id))?.autoScalingGroupName, at: now }] as const;
      }),
    );
    known = new Map(found);
    return found.flatMap(([, { name }]) => name ?? []);
  };
}

/** Reads again if the instances are others, or after a minute. No call is made while every Node is of a listed group. */
export function lostGroupsReader(
  access: () => Pick<AutoScalingAccess, 'client' | 'describeInstance'>,
  clock: TimerClock,
): (
  nodeInstanceIds: Iterable<string>,
  tagged: readonly AutoScalingGroup[],
) => Promise<Part<readonly AutoScalingGroup[]>> {
  const namesOf = groupNamesReader(clock);
  const read = partReader(
    { clock, maximumAgeSeconds: ageSeconds, keyOf: ([ids]) => ids.join() },
    async (ids: readonly string[], tagged: readonly AutoScalingGroup[]) => {
      if (ids.length === 0) return [];
      const { client, describeInstance } = access();
      return await readLostGroups(client, await namesOf(describeInstance, ids), tagged);
    },
  );
  return (nodeInstanceIds, tagged) => {
    const listed = new Set(tagged.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
    return read([...new Set(nodeInstanceIds)].filter((id) => !listed.has(id)).toSorted(), tagged);
  };
}
