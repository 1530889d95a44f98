import type { AutoScaling } from '../../groups/auto-scaling.ts';
import type { Ec2 } from '../../groups/ec2.ts';
import { isManaged } from '../../groups/group.ts';
import { isInService } from '../../groups/lifecycle-state.ts';
import { isNameOfAnother } from '../../nodes/node-names.ts';
import { findRepairs, type RepairObserver } from './find-repairs.ts';
import type { RepairFinding } from './judge-repairs.ts';
import { readRepair } from './settings.ts';

export interface RepairContext extends RepairObserver {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeInstance'>;
  readonly ec2: Ec2;
  /** Makes Auto Scaling terminate and replace an instance, through its hooks. */
  readonly setUnhealthy: (instanceId: string) => Promise<void>;
  readonly clusterName: string;
}

export interface RepairReport {
  readonly findings: readonly RepairFinding[];
  /** Those whose instance was set Unhealthy. */
  readonly repaired: readonly RepairFinding[];
  /** Tags of groups that do nothing, each with its group. */
  readonly problems: readonly { readonly autoScalingGroupName: string; readonly message: string }[];
  /** What could not be read or done. The next run tries again. */
  readonly failures: readonly unknown[];
}

/**
 * Has the instance of at most one failed node of each group replaced. A group for which a call fails is left as it is.
 *
 * @throws when the groups or the Nodes cannot be listed.
 */
export async function repairNodes(context: RepairContext): Promise<RepairReport> {
  const { autoScaling, clock, clusterName } = context;
  const groups = (await autoScaling.listGroups(clock.now())).filter((group) => isManaged(group, clusterName));
  const { findings, failures } = await findRepairs(context, groups);
  const due = findings.filter(({ verdict }) => verdict === 'repair');
  const results = await Promise.allSettled(due.map((finding) => repair(context, finding)));
  const tried = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    findings: findings.map((finding) => tried.find(({ node }) => node === finding.node) ?? finding),
    repaired: tried.filter(({ verdict }) => verdict === 'repair'),
    problems: groups.flatMap(({ autoScalingGroupName, tags }) =>
      readRepair(tags).problems.map((message) => ({ autoScalingGroupName, message })),
    ),
    failures: [
      ...failures,
      ...results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
    ],
  };
}

/**
 * Looks again first: the group was listed before the Nodes and the activities were read. A kubelet can claim any providerID, so that a
 * Node under the name of another instance says nothing of this one. Empty: it is not to be replaced any more.
 */
async function repair(
  { autoScaling, ec2, setUnhealthy, clock }: RepairContext,
  finding: RepairFinding,
): Promise<readonly RepairFinding[]> {
  const { node, instanceId } = finding;
  const instance = await autoScaling.describeInstance(instanceId, clock.now());
  if (!instance || !isInService(instance) || !instance.healthy || instance.protectedFromScaleIn) return [];
  if (isNameOfAnother(node, { instanceId, ...(await ec2.describeInstance(instanceId)) }))
    return [
      {
        ...finding,
        verdict: 'left-alone',
        reason: `it has the name of another instance than ${instanceId}, which its providerID names`,
      },
    ];
  await setUnhealthy(instanceId);
  return [finding];
}
