import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { createGroups } from '../../shared/aws/groups.ts';
import { membersOf } from '../../shared/capacity/members.ts';
import { byInstance, type ObservedNodes } from '../../shared/capacity/observed-nodes.ts';
import { type AutoScalingGroup, roleOf } from '../../shared/groups/group.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { Source } from '../../shared/problems/observation.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { viewGroup, viewGroupSummary, viewInstance } from '../../shared/scale-api/group-views.ts';
import { readNodegroup } from '../../shared/scale-api/groups.ts';
import type { ManagedGroup } from '../../shared/scale-api/scale-context.ts';
import type { AccessFlags } from '../access/flags.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { nodesIn } from '../observation/observe.ts';
import { type Listed, lookBesides, nothingListed } from '../pointer/look.ts';
import { reasonOf } from '../reason-of.ts';
import type { GroupReads } from './reads.ts';

/**
 * The groups with this machine's AWS credentials, and their Nodes with its kubeconfig, in the form of the scale API.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is requested yet.
 */
export function directGroups(flags: AccessFlags, context: CliContext): GroupReads {
  const access = autoScalingAccess(flags, context);
  const host = hostOf(context, environmentOf(flags, context));
  const connection = awsConnection(host);
  const eks = { groups: createGroups({ connection, clusterName: access.clusterName }) };
  const cluster = clusterOf(flags, context);
  let listed = nothingListed;
  const read = async (name?: string) => {
    const [groups, list] = await Promise.all([managedGroups(access, name), nodesOf(cluster)]);
    const nodes = observedIn(list);
    listed = listedOf(access, groups, list);
    const managed = groups
      .flatMap((group): ManagedGroup[] => {
        const role = roleOf(group);
        return role === undefined ? [] : [{ ...group, role }];
      })
      .sort((one, other) => one.autoScalingGroupName.localeCompare(other.autoScalingGroupName));
    return { managed, nodes };
  };
  return {
    beginLook: lookBesides({ host, listed: () => listed }),
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

type ListedNodes = Exclude<Source<readonly Node[]>, { readonly kind: 'stale' }>;

/** The groups are shown although the cluster does not answer. */
async function nodesOf(cluster: Pick<DrainCluster, 'listNodes'>): Promise<ListedNodes> {
  try {
    return { kind: 'known', value: await cluster.listNodes() };
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) };
  }
}

const observedIn = (list: ListedNodes): ObservedNodes =>
  list.kind === 'known'
    ? { status: 'seen', byInstance: byInstance(list.value) }
    : { status: 'unknown', reason: list.reason };

/**
 * What was read, for those who look for problems in it. The hooks were not read, nor the groups of other instances: a mark on the Node of one
 * says nothing here.
 */
function listedOf(
  access: AutoScalingAccess,
  managed: readonly AutoScalingGroup[],
  list: ListedNodes,
): Listed {
  const members = new Set(managed.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const groups = { kind: 'known', value: { ...access, managed, others: [], hooks: new Map() } } as const;
  if (list.kind === 'unknown') return { groups, nodes: list };
  const { marked, instanceIds } = nodesIn(list.value);
  const own = marked.filter(({ mark }) => members.has(mark.instanceId));
  return { groups, nodes: { kind: 'known', value: { marked: own, instanceIds } } };
}
