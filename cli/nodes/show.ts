import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { groupReadsOf } from '../groups/reads.ts';
import { isForPrograms, type ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { listAndPoint } from '../pointer/point.ts';
import type { TableView } from '../table/column.ts';
import { nodesText } from './text.ts';

export type NodesFlags = AccessFlags & ListingFlags;

/** Shows the instances of the managed groups with their nodes, or those of one group. */
export async function showNodes(
  group: string | undefined,
  flags: NodesFlags,
  context: CliContext,
): Promise<void> {
  const { listInstances, beginLook } = await groupReadsOf(flags, context);
  const list = async (): Promise<void> => {
    const instances = await listInstances(group);
    const listing = {
      data: instances,
      names: instances.map(({ node, instanceId }) => (node.status === 'found' ? node.name : instanceId)),
      text: (view: TableView) => nodesText(instances, context.clock.now(), view),
    };
    await printListing(listing, flags, context);
  };
  if (isForPrograms(flags)) await list();
  else await listAndPoint({ list, beginLook, flags }, context);
}
