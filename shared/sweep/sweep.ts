import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import { groupsWithLeftReservations } from '../giving-back/reservation.ts';
import { type AutoScaling, withWarmPools } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import { type AutoScalingGroup, isManaged } from '../groups/group.ts';
import { waitsToLeave } from '../groups/lifecycle-state.ts';
import { type HeartbeatRequest, requestHeartbeats } from '../heartbeats/request.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { givingBackMessage } from '../passes/group-messages.ts';
import { leavingMessage } from '../passes/leaving-message.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { SendBatch } from '../passes/queue.ts';
import { planSweep, type SweepPlan, type SweptNode } from './plan-sweep.ts';

export interface SweepContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'describeInstance'>;
  readonly ec2: Ec2;
  readonly cluster: Pick<DrainCluster, 'listNodes'>;
  readonly clock: Clock;
  /** The queue of leaving nodes. */
  readonly send: SendBatch;
  /** The queue of heartbeats. */
  readonly sendHeartbeats: SendBatch;
  readonly clusterName: string;
  readonly leavingHookName: string;
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
  readonly failures: readonly unknown[];
}

/**
 * Compares the instances that wait in Auto Scaling with the Nodes of the cluster, and sends the subjects without a pass to the queue of
 * leaving nodes. A part that cannot be read is left out. If the nodes cannot be listed, every wait is sent. The heartbeats of every wait are
 * requested again: a repeated message is absorbed, and a lost one would cost the wait.
 *
 * @throws if the groups cannot be listed.
 */
export async function sweep(context: SweepContext): Promise<SweepReport> {
  const listed = (await context.autoScaling.listGroups(context.clock.now())).filter((group) =>
    isManaged(group, context.clusterName),
  );
  const failures: unknown[] = [];
  const orElse = <Value>(reading: Promise<Value>, otherwise: Value): Promise<Value> =>
    reading.catch((error: unknown) => {
      failures.push(error);
      return otherwise;
    });
  const names = listed.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const hooks = await readEach(names, (name) => context.autoScaling.describeHooks(name), failures);
  const known = await orElse(context.cluster.listNodes(), undefined);
  const nodes = (known ?? []).flatMap(toSweptNode);
  const nodeIds = nodes.map(({ instanceId }) => instanceId);
  const withPools = await orElse(withWarmPools(context.autoScaling, listed, nodeIds), undefined);
  const groups = withPools ?? listed;
  // If the warm pools are unknown, their instances would seem to be outside the groups.
  const outsideIds = withPools ? outside(groups, nodes).map(({ instanceId }) => instanceId) : [];
  const outsideInstances = await readEach(outsideIds, (id) => context.ec2.describeInstance(id), failures);
  const now = context.clock.now();
  const plan = planSweep({
    now,
    groups,
    hooks,
    nodes,
    nodesAreUnknown: known === undefined,
    outsideInstances,
    leavingHookName: context.leavingHookName,
  });
  failures.push(...(await sendHeartbeats(context, plan.heartbeats)));
  failures.push(...(await sendAll(context, plan.send)));
  failures.push(
    ...(await sendLeftReservations(context, groupsWithLeftReservations(listed, known ?? [], now))),
  );
  return { plan, groups: groups.length, nodes: nodes.length, ...agesOf(now, groups, nodes), failures };
}

/** Reads every key, and returns the values of those that could be read. */
async function readEach<Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
  failures: unknown[],
): Promise<ReadonlyMap<string, Value>> {
  const results = await Promise.allSettled(keys.map(async (key) => [key, await read(key)] as const));
  for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
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
  ...(mark.bootBefore !== undefined && { returns: true }),
  renewedAt: Date.parse(mark.renewedAt),
});

/** A pass that was killed has left nodes cordoned. A pass over their group releases them or gives them back. */
async function sendLeftReservations(
  { send, clock }: SweepContext,
  names: readonly string[],
): Promise<readonly unknown[]> {
  if (names.length === 0) return [];
  const noticedAt = new Date(clock.now()).toISOString();
  const failures = await send(
    names.map((autoScalingGroupName) =>
      givingBackMessage({ cause: 'put-back', autoScalingGroupName, noticedAt }),
    ),
  );
  return failures.map(({ error }) => error);
}

/** Nodes whose instances are not in these groups. */
function outside(groups: readonly AutoScalingGroup[], nodes: readonly SweptNode[]): readonly SweptNode[] {
  const members = new Set(groups.flatMap((group) => group.instances.map(({ instanceId }) => instanceId)));
  return nodes.filter(({ instanceId }) => !members.has(instanceId));
}

/** Requests the heartbeats of these waits, and returns the errors of those that could not be requested. */
async function sendHeartbeats(
  { sendHeartbeats: send, clock }: SweepContext,
  requests: readonly HeartbeatRequest[],
): Promise<readonly unknown[]> {
  const failures = await requestHeartbeats(requests, { send, clock });
  return failures.map(({ error }) => error);
}

/** Sends the notices and returns the errors of those that could not be sent. */
async function sendAll(
  { send, clock }: SweepContext,
  notices: readonly LeavingNotice[],
): Promise<readonly unknown[]> {
  if (notices.length === 0) return [];
  const sentAt = new Date(clock.now()).toISOString();
  const failures = await send(notices.map((notice) => leavingMessage(notice, sentAt)));
  return failures.map(({ error }) => error);
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
