import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../../base/clock.ts';
import type { AutoScaling } from '../../lifecycle/auto-scaling.ts';
import type { Ec2 } from '../../lifecycle/ec2.ts';
import { type AutoScalingGroup, type Ec2Instance, isManaged } from '../../lifecycle/group.ts';
import { waitsToLeave } from '../../lifecycle/lifecycle-state.ts';
import { deduplicationIdOf, leavingMessage } from '../../lifecycle/messages.ts';
import type { LeavingNotice } from '../../lifecycle/notice.ts';
import type { SendBatch } from '../../lifecycle/queue.ts';
import { withWarmPools } from '../../lifecycle/warm-pools.ts';
import type { DrainCluster } from '../cluster.ts';
import { readLeavingMark } from '../leaving-mark.ts';
import { instanceIdOf } from '../node-names.ts';
import { planSweep, type SweepPlan, type SweptNode } from './plan-sweep.ts';

export interface SweepContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'describeInstance'>;
  readonly ec2: Ec2;
  readonly cluster: Pick<DrainCluster, 'listNodes'>;
  readonly clock: Clock;
  /** The queue of leaving nodes. */
  readonly send: SendBatch;
  readonly clusterName: string;
  readonly leavingHookName: string;
}

export interface SweepReport {
  readonly plan: SweepPlan;
  readonly groups: number;
  readonly nodes: number;
  /** How long the latest leaving node is past its deadline, and the longest time since a mark was renewed. */
  readonly overdueSeconds: number;
  readonly quietSeconds: number;
}

/**
 * Compares the instances that wait in Auto Scaling with the Nodes of the cluster, and sends the subjects without a pass to the
 * queue of leaving nodes.
 *
 * @throws when the context cannot be read, or when a subject could not be sent: the next sweep finds the same.
 */
export async function sweep(context: SweepContext): Promise<SweepReport> {
  const listed = (await context.autoScaling.listGroups(context.clock.now())).filter((group) =>
    isManaged(group, context.clusterName),
  );
  const hooks = new Map(
    await Promise.all(
      listed.map(
        async ({ autoScalingGroupName: name }) =>
          [name, await context.autoScaling.describeHooks(name)] as const,
      ),
    ),
  );
  const nodes = (await context.cluster.listNodes()).flatMap(toSweptNode);
  const nodeIds = nodes.map(({ instanceId }) => instanceId);
  const groups = await withWarmPools(context.autoScaling, listed, nodeIds);
  const outsideInstances = await lookUpOutsideInstances(context, groups, nodes);
  const now = context.clock.now();
  const plan = planSweep({
    now,
    groups,
    hooks,
    nodes,
    outsideInstances,
    leavingHookName: context.leavingHookName,
  });
  await sendAll(context, plan.send);
  return { plan, groups: groups.length, nodes: nodes.length, ...agesOf(now, groups, nodes) };
}

function toSweptNode({ metadata, spec }: Node): SweptNode[] {
  const instanceId = instanceIdOf(spec?.providerID);
  if (instanceId === undefined) return [];
  const mark = readLeavingMark(metadata?.annotations);
  return [{ name: metadata?.name ?? '', instanceId, ...(mark && { mark: timesOf(mark) }) }];
}

const timesOf = (mark: NonNullable<ReturnType<typeof readLeavingMark>>): SweptNode['mark'] => ({
  since: Date.parse(mark.since),
  ...(mark.until !== undefined && { until: Date.parse(mark.until) }),
  renewedAt: Date.parse(mark.renewedAt),
});

/** EC2's answers for the nodes' instances that are in no managed group. */
async function lookUpOutsideInstances(
  { ec2 }: SweepContext,
  groups: readonly AutoScalingGroup[],
  nodes: readonly SweptNode[],
): Promise<ReadonlyMap<string, Ec2Instance | undefined>> {
  return new Map(
    await Promise.all(
      outside(groups, nodes).map(
        async ({ instanceId }) => [instanceId, await ec2.describeInstance(instanceId)] as const,
      ),
    ),
  );
}

/** Nodes whose instances are not in these groups. */
function outside(groups: readonly AutoScalingGroup[], nodes: readonly SweptNode[]): readonly SweptNode[] {
  const members = new Set(groups.flatMap((group) => group.instances.map(({ instanceId }) => instanceId)));
  return nodes.filter(({ instanceId }) => !members.has(instanceId));
}

async function sendAll({ send, clock }: SweepContext, notices: readonly LeavingNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const sentAt = new Date(clock.now()).toISOString();
  const failures = await send(
    notices.map((notice) => ({
      body: JSON.stringify(leavingMessage(notice, sentAt)),
      groupId: notice.instanceId,
      deduplicationId: deduplicationIdOf(notice),
    })),
  );
  if (failures.length > 0)
    throw new AggregateError(
      failures.map(({ error }) => error),
      `the sweep could not send ${failures.length} of ${notices.length} subjects; the next one finds them again`,
    );
}

function agesOf(
  now: number,
  groups: readonly AutoScalingGroup[],
  nodes: readonly SweptNode[],
): Pick<SweepReport, 'overdueSeconds' | 'quietSeconds'> {
  const waiting = new Set(
    groups
      .flatMap((group) => group.instances)
      .filter(waitsToLeave)
      .map(({ instanceId }) => instanceId),
  );
  const marks = nodes.flatMap(({ instanceId, mark }) => (mark && waiting.has(instanceId) ? [mark] : []));
  return {
    overdueSeconds: Math.max(0, ...marks.map(({ until }) => (now - (until ?? now)) / 1000)),
    quietSeconds: Math.max(0, ...marks.map(({ renewedAt }) => (now - renewedAt) / 1000)),
  };
}
