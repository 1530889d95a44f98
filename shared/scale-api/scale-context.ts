import type { TimerClock } from '../base/clock.ts';
import type { Groups } from '../capacity/groups.ts';
import type { HoldStore } from '../capacity/holds/change-holds.ts';
import { type ClusterNodes, type ObservedNodes, observeNodes } from '../capacity/observed-nodes.ts';
import type { ScheduleStore } from '../capacity/schedules/change-schedules.ts';
import { type AutoScalingGroup, isManaged, type Role, roleOf } from '../groups/group.ts';
import type { RollParameters } from '../roll/change-roll.ts';
import type { PreflightSources } from '../roll/read-preflight.ts';
import type { HttpCall } from './http-call.ts';
import { ProblemError, toErrorOfChange } from './problem.ts';
import type { ProblemSources } from './problem-sources.ts';
import type { CredentialSettings } from './status-view.ts';

/** What the status of the cluster is read with. */
export interface StatusContext {
  /** The function that reads it: its log has the errors. */
  readonly functionName: 'scale-api' | 'sweep';
  readonly clusterName: string;
  /** Drover's hooks. */
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
  readonly groups: Pick<Groups, 'listGroups' | 'describeHooks' | 'readWarmPoolWaits'>;
  readonly cluster: ClusterNodes;
  /** Called with the error if the Nodes could not be listed. */
  readonly onClusterFailure: (error: unknown) => void;
  /** Undefined if the deployment makes no bootstrap credentials. */
  readonly bootstrap:
    | (CredentialSettings & {
        /** When each parameter was last written, by its name. */
        readonly readPublishedAt: () => Promise<ReadonlyMap<string, number>>;
      })
    | undefined;
  /** The instances whose members Drover knows. Undefined if the deployment manages no etcd. */
  readonly etcdMembers: (() => Promise<readonly string[]>) | undefined;
  readonly problemSources: ProblemSources;
  /** Rejects with a NoAnswerInTimeError. */
  readonly withinTime: <Value>(milliseconds: number, work: Promise<Value>) => Promise<Value>;
  /** Called with the error if a part of an answer could not be read. */
  readonly onPartFailure: (what: string, error: unknown) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly after: TimerClock['after'];
}

/** What the scale API reads for a roll, beside groups and Nodes, and how it reaches the function roll. */
export interface RollRequests
  extends Pick<PreflightSources, 'launches' | 'withWarmPools' | 'readHistory' | 'readAlarms'> {
  readonly parameters: RollParameters;
  /** Has a pass look at what was written. Never rejects: the scan of the next minute finds it too. Undefined if the deployment has no function roll. */
  readonly wake: (() => Promise<void>) | undefined;
}

/** What the routes of the scale API read and change. */
export interface ScaleContext extends StatusContext {
  readonly groups: Groups;
  readonly recordChange: RecordChange;
  /** Where holds are kept. A function, so that a request without holds makes no client. */
  readonly holds: () => Omit<HoldStore, 'now'>;
  /** A function for the same reason. */
  readonly schedules: () => ScheduleStore;
  /** What changes of rolls need. A function for the same reason. */
  readonly rolls: () => RollRequests;
  /** The highest MaxSize that a hold may set. */
  readonly maxSizeLimit: number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The Nodes of the cluster, or why they are unknown. */
export const readNodes = ({
  cluster,
  onClusterFailure,
  functionName,
}: Pick<StatusContext, 'cluster' | 'onClusterFailure' | 'functionName'>): Promise<ObservedNodes> =>
  observeNodes(cluster, onClusterFailure, functionName);

/** A group of this cluster: it has the cluster's tag and a role. */
export interface ManagedGroup extends AutoScalingGroup {
  readonly role: Role;
}

/** The groups with the tag of the cluster. */
export interface TaggedGroups {
  /** Sorted by name. */
  readonly managed: readonly ManagedGroup[];
  /** They lack another tag that makes a group the cluster's to manage. */
  readonly others: readonly AutoScalingGroup[];
}

export async function listTaggedGroups({
  groups,
  clusterName,
}: Pick<StatusContext, 'groups' | 'clusterName'>): Promise<TaggedGroups> {
  const tagged = await groups.listGroups();
  return {
    managed: tagged
      .flatMap((group) => asManaged(group, clusterName) ?? [])
      .sort((one, other) => one.autoScalingGroupName.localeCompare(other.autoScalingGroupName)),
    others: tagged.filter((group) => asManaged(group, clusterName) === undefined),
  };
}

/** Every managed group, sorted by name. */
export const listManagedGroups = async (context: ScaleContext): Promise<ManagedGroup[]> => [
  ...(await listTaggedGroups(context)).managed,
];

/**
 * The group with this name, if it is managed. The error for a foreign group is the same as for a missing one.
 *
 * @throws ProblemError with status 404.
 */
export async function findManagedGroup(
  context: Pick<ScaleContext, 'groups' | 'clusterName'>,
  name: string,
): Promise<ManagedGroup> {
  const managed = await findManagedGroupIfAny(context, name);
  if (managed) return managed;
  throw groupNotFound(context);
}

/**
 * The group with this name, if it is managed: a hold outlives its group, and then there is none.
 *
 * @throws ProblemError with status 404 for a name that no group can have.
 */
export async function findManagedGroupIfAny(
  context: Pick<ScaleContext, 'groups' | 'clusterName'>,
  name: string,
): Promise<ManagedGroup | undefined> {
  if (!isGroupName(name)) throw groupNotFound(context);
  const group = await context.groups.describeGroup(name);
  return group && asManaged(group, context.clusterName);
}

export const groupNotFound = ({ clusterName }: Pick<ScaleContext, 'clusterName'>): ProblemError =>
  new ProblemError({
    code: 'group-not-found',
    detail: `no group of that name is tagged kubernetes.io/cluster/${clusterName} and drover.dev/role`,
  });

/** Auto Scaling refuses to look up any other name. The name of a group contains no colon. */
const isGroupName = (name: string): boolean => /^[^\p{C}:]{1,255}$/u.test(name);

function asManaged(group: AutoScalingGroup, clusterName: string): ManagedGroup | undefined {
  const role = roleOf(group);
  return role !== undefined && isManaged(group, clusterName) ? { ...group, role } : undefined;
}

/** A change that a caller makes, as it is logged. */
export interface Change {
  readonly action: string;
  readonly subject: string;
  readonly before: object;
  readonly after: object;
}

/** Writes a line to the log. */
type RecordChange = (
  message: 'change requested' | 'change made',
  record: Change & { readonly caller: string | undefined },
) => void;

/** Logs a change before and after it is made. If the call fails, or the function is killed during it, the change may have been made. */
export async function makeChange<Value>(
  { recordChange }: Pick<ScaleContext, 'recordChange'>,
  call: HttpCall,
  { make, ...change }: Change & { readonly make: () => Promise<Value> },
): Promise<Value> {
  const record = { caller: call.callerArn, ...change };
  recordChange('change requested', record);
  const value = await make().catch((error: unknown) => {
    throw toErrorOfChange(error);
  });
  recordChange('change made', record);
  return value;
}
