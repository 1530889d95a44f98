import { withWarmPools } from '../../shared/aws/pooled-groups.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { type ObservedRoll, observedRoll } from '../../shared/roll/observed-roll.ts';
import type { StoredRoll } from '../../shared/roll/rolls-in.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { oneLine } from '../plain-text.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { groupsNamed } from './groups.ts';

/**
 * Reads how far a roll is.
 *
 * @throws KubernetesError if the Nodes cannot be read: they have the marks.
 */
export const observeRoll = (
  stored: StoredRoll,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ObservedRoll> =>
  observe(stored, clusterOf(flags, context), access, (groups) => Promise.resolve(groups));

/** The same, with old instances of warm pools among those that are left out. A pool that cannot be read is a warning. */
export const observeRollWithPools = (
  stored: StoredRoll,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ObservedRoll> =>
  observe(stored, clusterOf(flags, context), access, async (groups) => {
    const pooled = await withWarmPools(groups, access);
    for (const warning of pooled.warnings) context.stderr.write(`warning: ${oneLine(warning)}\n`);
    return pooled.groups;
  });

async function observe(
  stored: StoredRoll,
  cluster: Pick<DrainCluster, 'listNodes'>,
  access: RollAccess,
  complete: (groups: readonly AutoScalingGroup[]) => Promise<readonly AutoScalingGroup[]>,
): Promise<ObservedRoll> {
  if (stored.ask.kind === 'unreadable')
    return observedRoll(stored, { groups: [], launches: new Map(), nodes: [] });
  const names = stored.ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const [groups, nodes] = await Promise.all([
    groupsNamed(names, access).then(complete),
    cluster.listNodes('consistent'),
  ]);
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  return observedRoll(stored, { groups, launches: await access.launches.readInstances(ids), nodes });
}
