import {
  findLeavingInstances,
  type LeavingInstance,
  type MarkedNode,
} from '../capacity/leaving-instances.ts';
import type { AutoScalingGroup, LifecycleHook } from '../groups/group.ts';
import type { ScheduledAction } from '../groups/scheduled-action.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import type { RepairFinding } from '../sweep/repair/judge-repairs.ts';
import type { RaisedAlarm } from './alarm-problems.ts';
import type { ObservedApprovals } from './approver-problems.ts';
import type { HeldCapacity } from './capacity-problems.ts';
import type { JudgedRequest } from './certificate-problems.ts';
import type { PublishedCredential } from './credential-problems.ts';
import type { DeadLetterQueue } from './dead-letter-problems.ts';
import type { HookNames } from './hook-problems.ts';
import type { ObservedLaunches } from './node-problems.ts';
import { type JudgedAction, judgeActions } from './scheduled-actions.ts';

/**
 * What was read from one source:
 * - `known`: as it is now;
 * - `stale`: as it was at `at` (epoch milliseconds), because the last read failed; without `at`, what was read of it now, if a part failed;
 * - `unknown`: it could not be read.
 */
export type Source<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | (Unread & { readonly kind: 'stale'; readonly value: Value; readonly at?: number })
  | (Unread & { readonly kind: 'unknown' });

interface Unread {
  readonly reason: string;
  /** The other side asks for fewer calls. */
  readonly isThrottled?: true;
}

/** The value of a source, old or new; undefined if it is unknown, or was not looked at. */
export const valueOf = <Value>(source: Source<Value> | undefined): Value | undefined =>
  source === undefined || source.kind === 'unknown' ? undefined : source.value;

/** The groups of a cluster and their hooks, as Auto Scaling describes them. */
export interface ObservedGroups extends HookNames {
  readonly managed: readonly AutoScalingGroup[];
  /** They have a tag of the cluster or a hook of Drover, but not all that makes them the cluster's to manage. */
  readonly others: readonly AutoScalingGroup[];
  /** By the name of the group. The hooks of a group that is missing were not read. */
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
}

export interface ClusterNodes {
  readonly marked: readonly MarkedNode[];
  /** The instances that a Node names in its providerID. */
  readonly instanceIds: ReadonlySet<string>;
}

/** Everything that is read to find problems. A source that is undefined was not looked at. */
export interface ProblemObservation {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly groups: Source<ObservedGroups>;
  readonly nodes: Source<ClusterNodes>;
  /** The failing nodes of groups that ask for repair. */
  readonly repairs?: Source<readonly RepairFinding[]> | undefined;
  /** The instances of the warm pools of managed groups that wait on hooks. */
  readonly warmWaits?: Source<readonly WarmPoolWait[]> | undefined;
  /** Whether EC2 could show whose the failing Nodes are. */
  readonly ec2?: Source<'answers'> | undefined;
  readonly launches?: Source<ObservedLaunches> | undefined;
  /** Nodes outside managed groups, and who approves their certificates. */
  readonly approvals?: Source<ObservedApprovals> | undefined;
  readonly requests?: Source<readonly JudgedRequest[]> | undefined;
  readonly deadLetters?: Source<readonly DeadLetterQueue[]> | undefined;
  readonly capacity?: Source<HeldCapacity> | undefined;
  /** They include those of groups that are not managed. */
  readonly scheduledActions?: Source<readonly ScheduledAction[]> | undefined;
  readonly credentials?: Source<readonly PublishedCredential[]> | undefined;
  /** The alarms that are raised now. */
  readonly alarms?: Source<readonly RaisedAlarm[]> | undefined;
}

/** The instances that leave, from the groups and the marks. Pure. */
export function leavingIn({
  groups,
  nodes,
}: Pick<ProblemObservation, 'groups' | 'nodes'>): readonly LeavingInstance[] {
  const seen = valueOf(groups);
  return findLeavingInstances({
    groups: seen?.managed ?? [],
    hooks: seen?.hooks ?? new Map(),
    nodes: valueOf(nodes)?.marked ?? [],
    leavingHookName: seen?.leavingHookName ?? '',
  });
}

/** The sources, by what a text calls them. */
const sourceNames = {
  groups: 'Auto Scaling',
  warmWaits: 'the warm pools',
  nodes: 'the cluster',
  repairs: 'the failing nodes',
  ec2: 'EC2',
  launches: 'the launches of instances',
  approvals: 'the approvers of certificates',
  requests: 'the certificate requests',
  deadLetters: 'the queues',
  capacity: 'the holds and schedules',
  scheduledActions: 'the scheduled actions of Auto Scaling',
  credentials: 'the bootstrap credentials',
  alarms: 'the alarms',
} as const satisfies Readonly<Record<Exclude<keyof ProblemObservation, 'at'>, string>>;

export type SourceName = (typeof sourceNames)[keyof typeof sourceNames];

/** A source that could not be read: without it there may be more problems than are shown. */
export interface Missing {
  readonly what: SourceName;
  readonly reason: string;
}

const entriesOf = (observation: ProblemObservation) =>
  Object.entries(sourceNames).map(
    ([key, what]) => ({ what, source: observation[key as keyof typeof sourceNames] }) as const,
  );

/** Whether AWS or the API server asks for fewer calls. Pure. */
export const isThrottledIn = (observation: ProblemObservation): boolean =>
  entriesOf(observation).some(({ source }) => source && source.kind !== 'known' && source.isThrottled);

/** The sources that could not be read. A source that depends on another one is not named for the same reason again. Pure. */
export function missingIn(observation: ProblemObservation): readonly Missing[] {
  const reasons = new Set<string>();
  return entriesOf(observation).flatMap(({ what, source }) => {
    if (source === undefined || source.kind === 'known' || isRepeated(source.reason, reasons)) return [];
    return [{ what, reason: source.reason }];
  });
}

function isRepeated(reason: string, reasons: Set<string>): boolean {
  if (reasons.has(reason)) return true;
  reasons.add(reason);
  return false;
}

/** The sources that this view does not read. Pure. */
export const notLookedAt = (observation: ProblemObservation): readonly SourceName[] =>
  entriesOf(observation).flatMap(({ what, source }) => (source === undefined ? [what] : []));

/** The scheduled actions of Auto Scaling that touch managed groups, with their effect on holds. Pure. */
export function scheduledActionsIn({
  at,
  groups,
  capacity,
  scheduledActions,
}: Pick<ProblemObservation, 'at' | 'groups' | 'capacity' | 'scheduledActions'>): readonly JudgedAction[] {
  const managed = valueOf(groups)?.managed ?? [];
  return judgeActions(valueOf(scheduledActions) ?? [], { managed, held: valueOf(capacity), at });
}
