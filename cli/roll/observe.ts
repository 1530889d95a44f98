import { type ObservedRoll, observedRoll } from '../../shared/roll/observed-roll.ts';
import type { StoredRoll } from '../../shared/roll/rolls-in.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { groupsNamed } from './groups.ts';

/**
 * Reads how far a roll is.
 *
 * @throws KubernetesError if the Nodes cannot be read: they have the marks.
 */
export async function observeRoll(
  stored: StoredRoll,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ObservedRoll> {
  if (stored.ask.kind === 'unreadable')
    return observedRoll(stored, { groups: [], launches: new Map(), nodes: [] });
  const [groups, nodes] = await Promise.all([
    groupsNamed(
      stored.ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName),
      access,
    ),
    clusterOf(flags, context).listNodes('consistent'),
  ]);
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  return observedRoll(stored, { groups, launches: await access.launches.readInstances(ids), nodes });
}
