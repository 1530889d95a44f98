import type { ClusterNodes } from '../capacity/cluster-nodes.ts';
import type { Groups } from '../capacity/groups.ts';
import type { HoldStore } from '../capacity/holds/change-holds.ts';
import type { ScheduleStore } from '../capacity/schedules/change-schedules.ts';
import { type AutoScalingGroup, isManaged, type Role, roleOf } from '../groups/group.ts';
import type { RecordChange } from './changes.ts';
import { ProblemError } from './problem.ts';
import type { CredentialSettings } from './status/credentials.ts';

/** What the routes of the scale API are given to act with. */
export interface ScaleContext {
  readonly clusterName: string;
  /** Drover's hooks. */
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly groups: Groups;
  readonly cluster: ClusterNodes;
  /** Why the Nodes could not be listed. */
  readonly onClusterFailure: (error: unknown) => void;
  readonly recordChange: RecordChange;
  /** Where holds are kept. A function, so that a request without holds makes no client. */
  readonly holds: () => Omit<HoldStore, 'now'>;
  /** A function for the same reason. */
  readonly schedules: () => ScheduleStore;
  /** The highest MaxSize that a hold is given. */
  readonly maxSizeLimit: number;
  /** Undefined: the deployment makes no bootstrap credentials. */
  readonly bootstrap:
    | (CredentialSettings & {
        /** When each parameter was last written, by its name. */
        readonly readPublishedAt: () => Promise<ReadonlyMap<string, number>>;
      })
    | undefined;
  /** The instances whose members Drover knows. Undefined: the deployment manages no etcd. */
  readonly etcdMembers: (() => Promise<readonly string[]>) | undefined;
  /** Rejects with a NoAnswerInTimeError. */
  readonly withinTime: <Value>(milliseconds: number, work: Promise<Value>) => Promise<Value>;
  /** Why a part of an answer is unknown. */
  readonly onPartFailure: (what: string, error: unknown) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A group of this cluster: it has the cluster's tag and a role. */
export interface ManagedGroup extends AutoScalingGroup {
  readonly role: Role;
}

/** Every managed group, sorted by name. */
export async function listManagedGroups({ groups, clusterName }: ScaleContext): Promise<ManagedGroup[]> {
  const tagged = await groups.listGroups();
  return tagged
    .flatMap((group) => asManaged(group, clusterName) ?? [])
    .sort((one, other) => one.autoScalingGroupName.localeCompare(other.autoScalingGroupName));
}

/**
 * The group with this name, if it is managed. The error for a foreign group is the same as for a missing one.
 *
 * @throws ProblemError with status 404.
 */
export async function findManagedGroup(
  { groups, clusterName }: ScaleContext,
  name: string | undefined,
): Promise<ManagedGroup> {
  const group = name !== undefined && isGroupName(name) ? await groups.describeGroup(name) : undefined;
  const managed = group && asManaged(group, clusterName);
  if (managed) return managed;
  throw new ProblemError({
    code: 'group-not-found',
    detail: `no group of that name is tagged kubernetes.io/cluster/${clusterName} and drover.dev/role`,
  });
}

/** Auto Scaling refuses to look up any other. No name of a group contains a colon. */
const isGroupName = (name: string): boolean => /^[^\p{C}:]{1,255}$/u.test(name);

function asManaged(group: AutoScalingGroup, clusterName: string): ManagedGroup | undefined {
  const role = roleOf(group);
  return role !== undefined && isManaged(group, clusterName) ? { ...group, role } : undefined;
}
