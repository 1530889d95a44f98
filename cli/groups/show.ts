import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { isForPrograms, type ListingFlags } from '../listing/flags.ts';
import { type Listing, printListing } from '../listing/print.ts';
import { listAndPoint } from '../pointer/point.ts';
import type { Group, GroupSummary } from '../scale-api/client.ts';
import { groupReadsOf } from './reads.ts';
import { groupsText, groupText } from './text.ts';

export type GroupsFlags = AccessFlags & ListingFlags;

/** Shows the managed groups, or one of them with its instances. */
export async function showGroups(
  name: string | undefined,
  flags: GroupsFlags,
  context: CliContext,
): Promise<void> {
  const api = await groupReadsOf(flags, context);
  const list = async (): Promise<void> => {
    const listing =
      name === undefined
        ? groupsListing(await api.listGroups())
        : groupListing(await api.getGroup(name), context.clock.now());
    await printListing(listing, flags, context);
  };
  if (isForPrograms(flags)) await list();
  else await listAndPoint({ list, beginLook: api.beginLook, flags }, context);
}

const groupsListing = (groups: readonly GroupSummary[]): Listing => ({
  data: groups,
  names: groups.map(({ autoScalingGroupName }) => autoScalingGroupName),
  text: (view) => groupsText(groups, view),
});

const groupListing = (group: Group, now: number): Listing => ({
  data: group,
  names: group.members.map(({ instanceId }) => instanceId),
  text: (view) => groupText(group, now, view),
});
