import type { ScheduledAction } from '../groups/scheduled-action.ts';
import type { RaisedAlarm } from '../problems/alarm-problems.ts';
import type { HeldCapacity } from '../problems/capacity-problems.ts';
import type { DeadLetterQueue } from '../problems/dead-letter-problems.ts';
import { lateCandidates, type ObservedLaunches } from '../problems/node-problems.ts';
import { type ClusterNodes, missingIn, type ProblemObservation } from '../problems/observation.ts';
import { findRepairs } from '../sweep/repair/repair-nodes.ts';
import { type Part, readPart } from './part.ts';
import type { ManagedGroup, StatusContext } from './scale-context.ts';

/** What GET /status reads to find problems besides groups, Nodes, passes, credentials and etcd. Each read rejects if it is refused. */
export interface ProblemSources {
  /** Reads alarms in the state ALARM. Undefined if the deployment does not name its alarms. */
  readonly readAlarms: (() => Promise<readonly RaisedAlarm[]>) | undefined;
  /** Undefined if the deployment does not name its queues. */
  readonly readDeadLetters: (() => Promise<readonly DeadLetterQueue[]>) | undefined;
  readonly readCapacity: () => Promise<HeldCapacity>;
  /** Reads those of all groups of the account. Undefined for the sweep, which runs too often for it. */
  readonly readScheduledActions: (() => Promise<readonly ScheduledAction[]>) | undefined;
  readonly readLaunches: (instanceIds: readonly string[]) => Promise<ObservedLaunches>;
  readonly countReplacements: (autoScalingGroupName: string, since: number) => Promise<number>;
}

type Sources = Pick<
  ProblemObservation,
  'alarms' | 'deadLetters' | 'capacity' | 'scheduledActions' | 'launches' | 'repairs' | 'credentials'
>;

/** A private subnet without an endpoint of CloudWatch or SQS hangs, and must not take the time of the whole answer. */
const seconds = 8;

/** The sources that depend on nothing, read concurrently. */
export async function readIndependent(
  context: StatusContext,
): Promise<Pick<Sources, 'alarms' | 'deadLetters' | 'capacity' | 'scheduledActions'>> {
  const { readAlarms, readDeadLetters, readCapacity, readScheduledActions } = context.problemSources;
  const part = <Value>(what: string, read: () => Promise<Value>): Promise<Part<Value>> =>
    readPart(context, { what, seconds, read });
  const [alarms, deadLetters, capacity, scheduledActions] = await Promise.all([
    readAlarms && part('the alarms', readAlarms),
    readDeadLetters && part('the queues', readDeadLetters),
    part('the holds and schedules', readCapacity),
    readScheduledActions && part('the scheduled actions of Auto Scaling', readScheduledActions),
  ]);
  return { alarms, deadLetters, capacity, scheduledActions };
}

/** Late launches and failing nodes, which depend on the groups and the Nodes. Nothing is asked if no instance can be late and none asks for repair. */
export async function readDependent(
  context: StatusContext,
  groups: readonly ManagedGroup[],
  nodes: ClusterNodes | undefined,
): Promise<Pick<Sources, 'launches' | 'repairs'>> {
  const { readLaunches, countReplacements } = context.problemSources;
  const late = groups.flatMap((group) => lateCandidates(group, nodes)).map(({ instanceId }) => instanceId);
  const clock = { now: context.now, after: context.after };
  const [launches, repairs] = await Promise.all([
    late.length === 0
      ? undefined
      : readPart(context, { what: 'the launches of instances', seconds, read: () => readLaunches(late) }),
    nodes === undefined
      ? undefined
      : readPart(context, {
          what: 'the failing nodes',
          seconds,
          read: () => findRepairs({ cluster: context.cluster, countReplacements, clock }, groups),
        }),
  ]);
  return { launches, repairs: repairs && repairsIn(context, repairs) };
}

/** What is known of one group counts although another one cannot be judged, and the reason says that something is missing. */
function repairsIn(
  { onPartFailure, functionName }: Pick<StatusContext, 'onPartFailure' | 'functionName'>,
  repairs: Part<Awaited<ReturnType<typeof findRepairs>>>,
): Sources['repairs'] {
  if (repairs.kind === 'unknown') return repairs;
  const { findings, failures } = repairs.value;
  for (const { item, error } of failures) onPartFailure(item, error);
  return failures.length === 0
    ? { kind: 'known', value: findings }
    : {
        kind: 'stale',
        value: findings,
        reason: `the failing nodes: could not be judged without ${failures.map(({ item }) => item).join(', ')}; see the log of ${functionName}`,
      };
}

/** Its identity may not list certificate requests and bindings, and hooks cost a call for each group. */
const neverRead = [
  'the hooks of the groups',
  'the groups without the tag of the cluster',
  'the approvers of certificates',
  'the certificate requests',
] as const;

/** Returns what the API does not look at: it shows no problem of these, except by its alarm. Pure. */
export const notRead = ({
  problemSources: { readAlarms, readDeadLetters, readScheduledActions },
}: Pick<StatusContext, 'problemSources'>): readonly string[] => [
  ...neverRead,
  ...(readDeadLetters ? [] : ['the queues']),
  ...(readAlarms ? [] : ['the alarms']),
  ...(readScheduledActions ? [] : ['the scheduled actions of Auto Scaling']),
];

/** Returns why sources could not be read. Groups and Nodes are parts of the answer themselves. Pure. */
export const unreadSources = (sources: Sources): readonly string[] =>
  missingIn({
    at: 0,
    groups: { kind: 'unknown', reason: '' },
    nodes: { kind: 'unknown', reason: '' },
    ...sources,
  }).flatMap(({ reason }) => (reason === '' ? [] : [reason]));
