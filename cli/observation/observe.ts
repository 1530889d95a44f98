import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { countHealthReplacements } from '../../shared/aws/repairs.ts';
import { readWarmPoolWaits } from '../../shared/aws/warm-pools.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import { describeFailures } from '../../shared/base/side-by-side.ts';
import { withWarmPools } from '../../shared/groups/auto-scaling.ts';
import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { holdersIn } from '../../shared/problems/approver-problems.ts';
import { lateCandidates } from '../../shared/problems/node-problems.ts';
import {
  type ClusterNodes,
  type ObservedGroups,
  type ProblemObservation,
  valueOf,
} from '../../shared/problems/observation.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { findRepairs } from '../../shared/sweep/repair/repair-nodes.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { hooksOf } from '../auto-scaling/groups.ts';
import { markedAmong } from '../leaving/marked-nodes.ts';
import { reasonOf } from '../reason-of.ts';
import { approvalsReader } from './approvals.ts';
import { lostGroupsReader } from './lost-groups.ts';
import { type Failure, mapPart, type Part, partReader } from './part.ts';
import type { ProblemSources } from './sources.ts';

interface ObserverOptions {
  /** Throws if a setting is missing. */
  readonly access: () => AutoScalingAccess;
  readonly cluster: Pick<DrainCluster, 'listNodes'>;
  readonly sources: ProblemSources;
  readonly clock: TimerClock;
}

/** The age that a source may have while an observer looks again and again: what changes slowly, or has a call for each item. */
const ages = {
  alarms: 10,
  warmWaits: 10,
  requests: 10,
  deadLetters: 30,
  capacity: 30,
  scheduledActions: 60,
  credentials: 60,
} as const;

/** Reads everything that shows problems. If a source cannot be reached, the observation has the reason. */
export function createObserver({
  access,
  cluster,
  sources,
  clock,
}: ObserverOptions): () => Promise<ProblemObservation> {
  const readNodes = partReader({ clock }, async () => {
    const nodes = await cluster.listNodes();
    return { ...nodesIn(nodes), holders: holdersIn(nodes) };
  });
  const readApprovals = approvalsReader({ access, readApprovals: sources.readApprovals, clock });
  const readLost = lostGroupsReader(access, clock);
  const readSeenGroups = partReader({ clock }, (nodes: ClusterNodes | undefined) =>
    seeGroups(access(), nodes, readLost),
  );
  const readRepairs = partReader({ clock }, (groups: readonly AutoScalingGroup[]) =>
    repairsOf({ access: access(), cluster, clock }, groups),
  );
  const readWarmWaits = partReader(
    { clock, maximumAgeSeconds: ages.warmWaits, keyOf: ([groups]) => poolsOf(groups) },
    (groups: readonly AutoScalingGroup[]) =>
      groups.length === 0 ? Promise.resolve([]) : readWarmPoolWaits(access().client, groups),
  );
  const readLaunches = partReader({ clock }, sources.readLaunches);
  const readAlarms = partReader({ clock, maximumAgeSeconds: ages.alarms }, sources.readAlarms);
  const readRequests = partReader({ clock, maximumAgeSeconds: ages.requests }, sources.readRequests);
  const readDeadLetters = partReader({ clock, maximumAgeSeconds: ages.deadLetters }, sources.readDeadLetters);
  const readCapacity = partReader({ clock, maximumAgeSeconds: ages.capacity }, sources.readCapacity);
  const readScheduledActions = partReader(
    { clock, maximumAgeSeconds: ages.scheduledActions },
    sources.readScheduledActions,
  );
  const readCredentials = partReader({ clock, maximumAgeSeconds: ages.credentials }, sources.readCredentials);
  const repairs = withNodes(clock, readRepairs);
  const requestsOf = withNodes(clock, readRequests);
  return async () => {
    const rest = Promise.all([
      readDeadLetters(),
      readCapacity(),
      readScheduledActions(),
      readCredentials(),
      readAlarms(),
    ]);
    const nodes = await readNodes();
    const [seen, [deadLetters, capacity, scheduledActions, credentials, alarms]] = await Promise.all([
      readSeenGroups(valueOf(nodes)),
      rest,
    ]);
    const managed = valueOf(seen)?.groups.managed ?? [];
    const late = managed.flatMap((group) => lateCandidates(group, valueOf(nodes)));
    const [judged, warmWaits, launches, requests, approvals] = await Promise.all([
      repairs(nodes, managed),
      readWarmWaits(managed),
      readLaunches(late.map(({ instanceId }) => instanceId)),
      requestsOf(nodes),
      readApprovals(
        mapPart(nodes, ({ holders }) => holders),
        mapPart(seen, ({ groups }) => groups.managed),
      ),
    ]);
    return {
      at: clock.now(),
      groups: groupsSource(seen),
      nodes,
      ...repairParts(judged),
      warmWaits,
      launches,
      approvals,
      requests,
      deadLetters,
      capacity,
      scheduledActions,
      credentials,
      alarms,
    };
  };
}

/** A pool that is new is read at once. */
const poolsOf = (groups: readonly AutoScalingGroup[]): string =>
  groups.flatMap((group) => (group.hasWarmPool ? [group.autoScalingGroupName] : [])).join();

interface JudgedRepairs {
  readonly findings: readonly RepairFinding[];
  /** Why some failing Nodes could not be judged. */
  readonly unreadReason: string | undefined;
  /** Why EC2 could not show whose the failing Nodes are, if they had to be judged without it. */
  readonly ec2Reason: string | undefined;
}

async function repairsOf(
  {
    access,
    cluster,
    clock,
  }: Pick<ObserverOptions, 'cluster' | 'clock'> & { readonly access: AutoScalingAccess },
  groups: readonly AutoScalingGroup[],
): Promise<JudgedRepairs> {
  let ec2Reason: string | undefined;
  const { findings, failures } = await findRepairs(
    {
      // The watch cache is enough for an operator, who may watch.
      cluster: { listNodes: () => cluster.listNodes() },
      ec2: access.ec2,
      onEc2Failure: (error) => {
        ec2Reason = reasonOf(error);
      },
      countReplacements: (name, since) => countHealthReplacements(access.client, name, since),
      clock,
    },
    groups,
  );
  const unreadReason = failures.length === 0 ? undefined : describeFailures(failures);
  return { findings, unreadReason, ec2Reason };
}

function repairParts(judged: Part<JudgedRepairs>): Pick<ProblemObservation, 'repairs' | 'ec2'> {
  if (judged.kind === 'unknown') return { repairs: judged, ec2: judged };
  const { findings, unreadReason, ec2Reason } = judged.value;
  return {
    repairs:
      judged.kind === 'known' && unreadReason !== undefined
        ? { kind: 'stale', value: findings, reason: unreadReason }
        : { ...judged, value: findings },
    ec2:
      ec2Reason === undefined ? { kind: 'known', value: 'answers' } : { kind: 'unknown', reason: ec2Reason },
  };
}

/**
 * Reads a part only while the Nodes can be listed: an API server that lists no Nodes is asked for nothing else. Meanwhile the part is what it
 * was, as old as it is.
 */
function withNodes<Input extends readonly unknown[], Value>(
  clock: TimerClock,
  read: (...input: Input) => Promise<Part<Value>>,
): (nodes: Part<unknown>, ...input: Input) => Promise<Part<Value>> {
  let last: { readonly value: Value; readonly at: number } | undefined;
  return async (nodes, ...input) => {
    if (nodes.kind === 'known') {
      const at = clock.now();
      const part = await read(...input);
      if (part.kind === 'known') last = { value: part.value, at };
      return part;
    }
    const { reason } = nodes;
    return last ? { kind: 'stale', ...last, reason } : { kind: 'unknown', reason };
  };
}

/** The Nodes as problems need them: the whole list is large. */
export const nodesIn = (nodes: readonly Node[]): ClusterNodes => ({
  marked: markedAmong(nodes.map(({ metadata = {} }) => metadata)),
  instanceIds: new Set(nodes.flatMap(({ spec }) => instanceIdOf(spec?.providerID) ?? [])),
});

interface SeenGroups {
  readonly groups: ObservedGroups;
  /** Why the groups of Nodes without the tag of the cluster could not be read. */
  readonly unread: Failure | undefined;
}

async function seeGroups(
  access: AutoScalingAccess,
  nodes: ClusterNodes | undefined,
  readLost: ReturnType<typeof lostGroupsReader>,
): Promise<SeenGroups> {
  const { client, clusterName } = access;
  const tagged = await readGroups(client, clusterName);
  const listed = tagged.filter((group) => isManaged(group, clusterName));
  const leavingIds = nodes?.marked.map(({ mark }) => mark.instanceId) ?? [];
  const managed = await withWarmPools(access, listed, leavingIds);
  // Without a group of the cluster its name is mostly mistyped, and the Nodes are those of another cluster.
  const ofNodes = tagged.length === 0 ? [] : [...(nodes?.instanceIds ?? [])];
  const lost = await readLost([...ofNodes, ...leavingIds], tagged);
  const others = [
    ...tagged.filter((group) => !isManaged(group, clusterName)),
    ...(lost.kind === 'unknown' ? [] : lost.value),
  ];
  return {
    groups: { ...access, managed, others, hooks: await hooksOf(access, [...managed, ...others]) },
    unread:
      lost.kind === 'known'
        ? undefined
        : { reason: lost.reason, ...(lost.isThrottled && { isThrottled: true }) },
  };
}

/** What is known of the listed groups counts although those that have lost their tags could not be read. */
const groupsSource = (seen: Part<SeenGroups>): ProblemObservation['groups'] =>
  seen.kind === 'known' && seen.value.unread !== undefined
    ? { kind: 'stale', value: seen.value.groups, ...seen.value.unread }
    : mapPart(seen, ({ groups }) => groups);
