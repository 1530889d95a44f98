import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { TimerClock } from '../base/clock.ts';
import { failuresOf, type ItemFailure, type Silence, sideBySide, valuesOf } from '../base/side-by-side.ts';
import { groupsWithLeftReservations } from '../giving-back/reservation.ts';
import { type AutoScaling, unlistedIn, withInstances } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import { type AutoScalingGroup, isManaged } from '../groups/group.ts';
import { waitsToLeave } from '../groups/lifecycle-state.ts';
import { type HeartbeatRequest, requestHeartbeats } from '../heartbeats/request.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { believedMarkOf, type LeavingMark, strangeMarkOf } from '../nodes/leaving-mark.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { givingBackMessage } from '../passes/group-messages.ts';
import { leavingMessage } from '../passes/leaving-message.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { BatchFailure, SendBatch } from '../passes/queue.ts';
import { planSweep, type SweepPlan, type SweptNode } from './plan-sweep.ts';

export interface SweepContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'describeInstance'>;
  readonly ec2: Ec2;
  readonly cluster: Pick<DrainCluster, 'listNodes'>;
  readonly clock: TimerClock;
  /** The queue of leaving nodes. */
  readonly send: SendBatch;
  /** The queue of heartbeats. */
  readonly sendHeartbeats: SendBatch;
  readonly clusterName: string;
  readonly leavingHookName: string;
  /** Remembers the groups whose hooks were not read, so that the next sweep begins with them. */
  readonly silence?: Silence<string>;
}

export interface SweepReport {
  readonly plan: SweepPlan;
  readonly groups: number;
  readonly nodes: number;
  /** The longest time that a leaving node is past its deadline. */
  readonly overdueSeconds: number;
  /** The longest time since the mark of a leaving node was renewed. */
  readonly quietSeconds: number;
  /** What could not be read or sent. The next sweep tries again. */
  readonly failures: readonly ItemFailure[];
}

/** For the calls of one group. AWS may take 15 s for a call that it does not answer. */
const hooksAtOnce = 10;
const eachMilliseconds = 8000;
const togetherMilliseconds = 20_000;

/**
 * Compares the instances that wait in Auto Scaling with the Nodes of the cluster, and sends the subjects without a pass to the queue of
 * leaving nodes. What cannot be read is left out: a group whose hooks fail or hang stops no other. If the nodes cannot be listed, every wait
 * is sent. The heartbeats of every wait are requested again, also if the hooks of its group cannot be read: a repeated message is absorbed,
 * and a lost one would cost the wait.
 *
 * @throws if the groups cannot be listed.
 */
export async function sweep(context: SweepContext): Promise<SweepReport> {
  const { autoScaling, ec2, cluster, clock, clusterName, leavingHookName } = context;
  const listed = (await autoScaling.listGroups(clock.now())).filter((group) => isManaged(group, clusterName));
  // Neither needs the other, and waits need their heartbeats.
  const [hooks, [listedNodes]] = await Promise.all([
    sideBySide(
      listed.map(({ autoScalingGroupName }) => autoScalingGroupName),
      (name) => autoScaling.describeHooks(name),
      {
        clock,
        atOnce: hooksAtOnce,
        eachMilliseconds,
        togetherMilliseconds,
        ...(context.silence && { silence: context.silence }),
      },
    ),
    Promise.allSettled([cluster.listNodes()]),
  ]);
  const known = listedNodes.status === 'fulfilled' ? listedNodes.value : undefined;
  const nodes = (known ?? []).flatMap((node) => toSweptNode(node, clock.now()));
  const nodeIds = nodes.map(({ instanceId }) => instanceId);
  const pooled = await describeAll(context, unlistedIn(listed, nodeIds), (id) =>
    autoScaling.describeInstance(id),
  );
  const groups = withInstances(listed, valuesOf(pooled).values());
  // An instance that could not be described may be in a warm pool: it is not known to be outside the groups.
  const unknown = new Set(pooled.flatMap(({ status, item }) => (status === 'rejected' ? [item] : [])));
  const outsideIds = unlistedIn(groups, nodeIds).filter((id) => !unknown.has(id));
  const outside = await describeAll(context, outsideIds, (id) => ec2.describeInstance(id));
  const now = clock.now();
  const plan = planSweep({
    now,
    groups,
    hooks: valuesOf(hooks),
    nodes,
    nodesAreUnknown: known === undefined,
    outsideInstances: valuesOf(outside),
    leavingHookName,
  });
  const failures = [
    ...failuresOf(hooks, (name) => `the hooks of group ${name}`),
    ...(listedNodes.status === 'rejected'
      ? [{ item: 'the list of Nodes', error: listedNodes.reason as unknown }]
      : []),
    ...failuresOf(pooled, (id) => `the group of instance ${id}`),
    ...failuresOf(outside, (id) => `instance ${id} in EC2`),
    ...(await sendHeartbeats(context, plan.heartbeats)),
    ...(await sendAll(context, plan.send)),
    ...(await sendLeftReservations(context, groupsWithLeftReservations(listed, known ?? [], now))),
  ];
  return { plan, groups: groups.length, nodes: nodes.length, ...agesOf(now, groups, nodes), failures };
}

/** Describes every instance. The calls are made together, because they share requests of 50 or 100 ids. */
const describeAll = <Value>(
  { clock }: SweepContext,
  instanceIds: readonly string[],
  describe: (instanceId: string) => Promise<Value>,
) =>
  sideBySide(instanceIds, describe, {
    clock,
    atOnce: instanceIds.length,
    eachMilliseconds: togetherMilliseconds,
    togetherMilliseconds,
  });

function toSweptNode(node: Node, now: number): SweptNode[] {
  const { metadata, spec } = node;
  const instanceId = instanceIdOf(spec?.providerID);
  if (instanceId === undefined) return [];
  const mark = believedMarkOf(node, { now });
  const strange = strangeMarkOf(node, { now });
  return [
    {
      name: metadata?.name ?? '',
      instanceId,
      ...(mark && { mark: timesOf(mark) }),
      ...(strange && { strangeMark: timesOf(strange) }),
    },
  ];
}

const timesOf = (mark: LeavingMark): SweptNode['mark'] => ({
  since: Date.parse(mark.since),
  ...(mark.until !== undefined && { until: Date.parse(mark.until) }),
  ...(mark.bootBefore !== undefined && { returns: true }),
  renewedAt: Date.parse(mark.renewedAt),
});

/** A pass that was killed has left nodes cordoned. A pass over their group releases them or gives them back. */
async function sendLeftReservations(
  { send, clock }: SweepContext,
  names: readonly string[],
): Promise<readonly ItemFailure[]> {
  if (names.length === 0) return [];
  const noticedAt = new Date(clock.now()).toISOString();
  const failures = await send(
    names.map((autoScalingGroupName) =>
      givingBackMessage({ cause: 'put-back', autoScalingGroupName, noticedAt }),
    ),
  );
  return unsentOf(failures, (index) => `the reserved nodes of group ${names[index]}`);
}

/** Requests the heartbeats of these waits. */
async function sendHeartbeats(
  { sendHeartbeats: send, clock }: SweepContext,
  requests: readonly HeartbeatRequest[],
): Promise<readonly ItemFailure[]> {
  const failures = await requestHeartbeats(requests, { send, clock });
  return unsentOf(failures, (index) => `the heartbeats of ${requests[index]?.action.instanceId}`);
}

async function sendAll(
  { send, clock }: SweepContext,
  notices: readonly LeavingNotice[],
): Promise<readonly ItemFailure[]> {
  if (notices.length === 0) return [];
  const sentAt = new Date(clock.now()).toISOString();
  const failures = await send(notices.map((notice) => leavingMessage(notice, sentAt)));
  return unsentOf(failures, (index) => `the pass over ${notices[index]?.instanceId}`);
}

/** The messages that could not be sent, each with its item in words. */
export const unsentOf = (
  failures: readonly BatchFailure[],
  describe: (index: number) => string,
): readonly ItemFailure[] => failures.map(({ index, error }) => ({ item: describe(index), error }));

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
