import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { failuresOf, type ItemFailure, sideBySide } from '../../base/side-by-side.ts';
import type { AutoScaling } from '../../groups/auto-scaling.ts';
import type { Ec2 } from '../../groups/ec2.ts';
import { type AutoScalingGroup, isManaged } from '../../groups/group.ts';
import { isInService } from '../../groups/lifecycle-state.ts';
import { ownNodes } from '../../leaving/find-node.ts';
import type { DrainCluster } from '../../nodes/cluster.ts';
import { instanceIdOf } from '../../nodes/node-names.ts';
import { type FailingNode, findFailingNodes, livingNodes } from './failing-nodes.ts';
import { judgeRepairs, type RepairFinding, type Replacements } from './judge-repairs.ts';
import { type PodsContext, podsThatFinish } from './pods-that-finish.ts';
import { readRepair } from './settings.ts';

export interface RepairContext extends RepairObserver {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeInstance'>;
  readonly ec2: Ec2;
  /** Makes Auto Scaling replace an instance. It terminates through its hooks. */
  readonly setUnhealthy: (instanceId: string) => Promise<void>;
  readonly clusterName: string;
}

export interface RepairReport {
  readonly findings: readonly RepairFinding[];
  /** The findings whose instance was set Unhealthy. */
  readonly repaired: readonly RepairFinding[];
  /** The tags of groups that have no effect. */
  readonly problems: readonly { readonly autoScalingGroupName: string; readonly message: string }[];
  /** What could not be read or done. The next run tries again. */
  readonly failures: readonly ItemFailure[];
}

/**
 * Replaces the instance of at most one failed node of each group. If a call for a group fails, nothing of this group is changed.
 *
 * @throws if the groups or the Nodes cannot be listed.
 */
export async function repairNodes(context: RepairContext): Promise<RepairReport> {
  const { autoScaling, clock, clusterName } = context;
  const groups = (await autoScaling.listGroups(clock.now())).filter((group) => isManaged(group, clusterName));
  const { findings, failures } = await findRepairs(context, groups);
  const due = findings.filter(({ verdict }) => verdict === 'repair');
  const results = await Promise.allSettled(due.map((finding) => repair(context, finding)));
  const tried = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    findings,
    repaired: tried,
    problems: groups.flatMap(({ autoScalingGroupName, tags }) =>
      readRepair(tags).problems.map((message) => ({ autoScalingGroupName, message })),
    ),
    failures: [
      ...failures,
      ...results.flatMap((result, index) =>
        result.status === 'rejected'
          ? [{ item: `the repair of ${due[index]?.instanceId}`, error: result.reason as unknown }]
          : [],
      ),
    ],
  };
}

interface Owners {
  /** The Nodes that claim the instance of another. */
  readonly strangers: ReadonlySet<Node>;
  /** Why EC2 could not be read, by the instance: only its Nodes wait. */
  readonly unread: ReadonlyMap<string, unknown>;
}

/**
 * Whose the Nodes are. A Ready Node that claims the instance of another would hide the failure of the right Node, and one that fails would
 * take the turn of its group in every sweep. Only Nodes that fail, and those of an instance with several, are compared with EC2.
 */
async function ownersOf(
  ec2: Ec2,
  groups: readonly AutoScalingGroup[],
  nodes: readonly Node[],
): Promise<Owners> {
  const claims = Map.groupBy(nodes, ({ spec }) => instanceIdOf(spec?.providerID));
  const failing = new Set(
    findFailingNodes(groups, livingNodes(nodes)).map(({ member }) => member.instanceId),
  );
  const strangers = new Set<Node>();
  const unread = new Map<string, unknown>();
  const compare = async (instanceId: string): Promise<void> => {
    const claiming = claims.get(instanceId) ?? [];
    if (claiming.length < 2 && !failing.has(instanceId)) return;
    try {
      const own = new Set(await ownNodes({ ec2 }, claiming));
      for (const node of claiming) if (!own.has(node)) strangers.add(node);
    } catch (error) {
      unread.set(instanceId, error);
    }
  };
  const members = groups.flatMap(({ instances }) => instances);
  await Promise.all(members.map(({ instanceId }) => compare(instanceId)));
  return { strangers, unread };
}

const asClaimed: Owners = { strangers: new Set(), unread: new Map() };

const ofStranger = ({ member: { instanceId }, ...failing }: FailingNode): RepairFinding => ({
  node: failing.name,
  instanceId,
  autoScalingGroupName: failing.autoScalingGroupName,
  condition: failing.condition,
  since: failing.since,
  verdict: 'left-alone',
  reason: `it has the name of another instance than ${instanceId}, which its providerID names`,
});

/**
 * Reads the instance again before it sets it Unhealthy, because the group was listed before the Nodes and the activities were read.
 *
 * @returns the finding; nothing if the instance must no longer be replaced.
 */
async function repair(
  { autoScaling, setUnhealthy, clock }: RepairContext,
  finding: RepairFinding,
): Promise<readonly RepairFinding[]> {
  const { instanceId } = finding;
  const instance = await autoScaling.describeInstance(instanceId, clock.now());
  if (!instance || !isInService(instance) || !instance.healthy || instance.protectedFromScaleIn) return [];
  await setUnhealthy(instanceId);
  return [finding];
}

interface RepairObserver extends Omit<PodsContext, 'cluster' | 'clock'> {
  /** Without pods, it is not known whether one asks to finish. */
  readonly cluster: Pick<DrainCluster, 'listNodes'> & PodsContext['cluster'];
  /** Shows whose a Node is. Without it, a Node counts as that of its providerID. */
  readonly ec2?: Ec2;
  /** Called if EC2 cannot be read: then a Node counts as that of its providerID. Without it, only that Node is not judged. */
  readonly onEc2Failure?: (error: unknown) => void;
  /** How many instances of a group health checks have replaced since this time (epoch milliseconds). */
  readonly countReplacements: (autoScalingGroupName: string, since: number) => Promise<number>;
  readonly clock: TimerClock;
}

interface FoundRepairs {
  readonly findings: readonly RepairFinding[];
  /** What could not be read: no node is repaired for which it is needed. */
  readonly failures: readonly ItemFailure[];
}

const hourMilliseconds = 3_600_000;

/** A busy group has ten pages of activities. */
const countLimits = { atOnce: 5, eachMilliseconds: 15_000, togetherMilliseconds: 30_000 };

/**
 * Judges which nodes of these managed groups must be repaired, and why the others are not. Reads nothing if no group has repair.
 *
 * @throws if the Nodes cannot be listed, because then nothing can be judged.
 */
export async function findRepairs(
  observer: RepairObserver,
  groups: readonly AutoScalingGroup[],
): Promise<FoundRepairs> {
  const { cluster, ec2, onEc2Failure, countReplacements, clock } = observer;
  if (groups.every(({ tags }) => readRepair(tags).rules.length === 0)) return { findings: [], failures: [] };
  // The watch cache may be minutes behind and show a failure that is over (kubernetes/kubernetes#59848).
  const listed = await cluster.listNodes('consistent');
  const owners = ec2 ? await ownersOf(ec2, groups, listed) : asClaimed;
  const { strangers } = owners;
  if (onEc2Failure) for (const error of [...owners.unread.values()].slice(0, 1)) onEc2Failure(error);
  const unread = onEc2Failure ? [] : [...owners.unread];
  const nodes = listed.filter((node) => !strangers.has(node));
  const failing = findFailingNodes(groups, livingNodes(nodes));
  const names = [...new Set(failing.map(({ autoScalingGroupName }) => autoScalingGroupName))];
  const now = clock.now();
  const pods = await podsThatFinish(observer, groups, failing);
  const read = await sideBySide(names, (name) => countReplacements(name, now - hourMilliseconds), {
    clock,
    ...countLimits,
  });
  const replacements = new Map<string, Replacements>(
    read.map((result) => [
      result.item,
      result.status === 'fulfilled'
        ? { count: result.value }
        : { unknown: `the activities of its group cannot be read: ${messageOf(result.reason)}` },
    ]),
  );
  return {
    findings: [
      ...findFailingNodes(groups, livingNodes([...strangers])).map(ofStranger),
      ...judgeRepairs({
        now,
        groups,
        nodes,
        replacements,
        pods,
        unknownOwners: new Map(unread.map(([instanceId, error]) => [instanceId, messageOf(error)])),
      }),
    ],
    failures: [
      ...unread.map(([instanceId, error]) => ({ item: `whose the Node of ${instanceId} is`, error })),
      ...failuresOf(read, (name) => `the activities of group ${name}`),
    ],
  };
}
