import { createGroups } from '../../shared/aws/groups.ts';
import { membersOf } from '../../shared/capacity/members.ts';
import { byInstance, type ObservedNodes } from '../../shared/capacity/observed-nodes.ts';
import { roleOf } from '../../shared/groups/group.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { viewGroup, viewGroupSummary, viewInstance } from '../../shared/scale-api/group-views.ts';
import { readNodegroup } from '../../shared/scale-api/groups.ts';
import type { ManagedGroup } from '../../shared/scale-api/scale-context.ts';
import type { AccessFlags } from '../access/flags.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { reasonOf } from '../reason-of.ts';
import type { GroupReads } from './reads.ts';

/**
 * The groups with this machine's AWS credentials, and their Nodes with its kubeconfig, in the form of the scale API.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is requested yet.
 */
export function directGroups(flags: AccessFlags, context: CliContext): GroupReads {
  const access = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const eks = { groups: createGroups({ connection, clusterName: access.clusterName }) };
  const cluster = clusterOf(flags, context);
  const read = async (name?: string) => {
    const [groups, nodes] = await Promise.all([managedGroups(access, name), nodesOf(cluster)]);
    const managed = groups
      .flatMap((group): ManagedGroup[] => {
        const role = roleOf(group);
        return role === undefined ? [] : [{ ...group, role }];
      })
      .sort((one, other) => one.autoScalingGroupName.localeCompare(other.autoScalingGroupName));
    return { managed, nodes };
  };
  return {
    listGroups: async () => {
      const { managed, nodes } = await read();
      return managed.map((group) => viewGroupSummary(group, nodes));
    },
    getGroup: async (name) => {
      const { managed, nodes } = await read(name);
      const [group] = managed;
      // `managedGroups` has rejected a group without a role.
      if (group === undefined) throw new Error(`group ${name} has no role`);
      return viewGroup(group, nodes, await readNodegroup(eks, group));
    },
    listInstances: async (name) => {
      const { managed, nodes } = await read(name);
      return managed
        .flatMap((group) => membersOf(group, nodes).map((member) => viewInstance(group, member)))
        .sort((one, other) => one.instanceId.localeCompare(other.instanceId));
    },
  };
}

/** The groups are shown although the cluster does not answer. */
async function nodesOf(cluster: Pick<DrainCluster, 'listNodes'>): Promise<ObservedNodes> {
  try {
    return { status: 'seen', byInstance: byInstance(await cluster.listNodes()) };
  } catch (error) {
    return { status: 'unknown', reason: reasonOf(error) };
  }
}
