import type { HoldStateName } from '../../shared/capacity/holds/hold-state.ts';
import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import type { ReasonToLeave } from '../../shared/passes/leaving-notice.ts';
import type { Place } from './command-at.ts';
import type { RollView } from './rolls.ts';

/**
 * All that the page shows, as plain JSON. Times are milliseconds since the epoch: of the simulation's clock in the sandbox. Only types: the page
 * contains nothing of the sandbox and the CLI.
 */
export interface DashboardState {
  readonly now: number;
  /** When the read of the account began; undefined if the state is that of `now`. */
  readonly readAt?: number;
  /** `account`: read from a real account, which the page does not change. */
  readonly source: 'sandbox' | 'account';
  /** Whether the server can read reports for the page. */
  readonly hasReports?: true;
  readonly clusterName?: string;
  readonly region?: string;
  readonly accountId?: string;
  /** The stage of the deployment whose logs were read. */
  readonly stage?: string;
  /** What commands name, if the page is one of several clusters. */
  readonly place?: Place | undefined;
  /** The address of the list of all clusters, from this page. */
  readonly allClusters?: string | undefined;
  /** Problems that need an operator and are not shown by the other parts. */
  readonly problems: readonly ProblemView[];
  /** The parts that could not be read. They are absent, or shown as they were. */
  readonly unknown: readonly UnknownView[];
  /** Where this view does not look for problems. */
  readonly notLookedAt?: readonly string[];
  readonly groups: readonly GroupView[];
  /** With those that have ended lately; undefined if they were not read. */
  readonly rolls?: readonly RollView[];
  /** Nodes without an instance in a group: left behind, or foreign. */
  readonly otherNodes: readonly NodeView[];
  /** Pods without a node; undefined if unknown. */
  readonly waitingPods?: readonly PodView[];
  readonly budgets: readonly BudgetView[];
  /** What keeps schedules from making holds. */
  readonly scheduleProblems: readonly string[];
  /** Certificate requests that wait or were denied, the newest first; undefined if unknown. */
  readonly requests?: readonly RequestView[];
  /** Undefined if no member of etcd runs, or its members are not asked. */
  readonly etcd?: EtcdView;
  /** What Drover last wrote about etcd, where its members are not asked. */
  readonly etcdStatus?: EtcdStatusView;
  /** The credentials with which new nodes join, those that are published or should be; undefined if unknown or there are none. */
  readonly credentials?: readonly CredentialView[];
  /** Undefined if it was not read. */
  readonly queues?: readonly QueueView[];
  /** The last passes, the newest first; undefined if they were not read. */
  readonly passes?: readonly PassView[];
  /** The last lines of the story, the newest first. */
  readonly news: readonly NewsView[];
}

export interface ProblemView {
  /** What it is, such as `certificate-conflict`. An older API may not say. */
  readonly kind?: string;
  /** A group, a Node or an instance, by name. */
  readonly subject: string;
  readonly message: string;
  /** Defaults to `warning`. */
  readonly severity?: 'critical' | 'warning';
  /** ISO 8601; null if nothing records when it began. */
  readonly since?: string | null;
  /** The command that solves it, or shows its cause. */
  readonly command?: string | null;
  /** The alarm that is raised for it, without the name of the deployment. */
  readonly alarm?: string | null;
}

export interface UnknownView {
  readonly what: string;
  readonly reason: string;
  /** The other side asks for fewer calls. */
  readonly isThrottled?: true;
}

export interface GroupView {
  readonly autoScalingGroupName: string;
  readonly role: string | undefined;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  /** Its sizes are units of capacity, of which an instance may be several. */
  readonly countsUnits?: true;
  readonly inService: number;
  /** How its passes are paused. */
  readonly paused?: string;
  /** Absent for a group that no hold can change: one that Drover does not manage, or one of etcd. */
  readonly capacity?: CapacityView;
  readonly instances: readonly InstanceView[];
  /** They could not be read: an empty list means nothing. */
  readonly instancesUnknown?: true;
}

/** What holds and schedules ask of a group. */
export interface CapacityView {
  /** MinSize without holds; undefined if unknown. */
  readonly base?: number;
  /** The MinSize that the base and the holds ask for. */
  readonly floor: number;
  /** Nodes that are Ready and do not leave, in the unit of the group's sizes; undefined if unknown. */
  readonly ready?: number;
  readonly holds: readonly HoldView[];
  readonly schedules: readonly ScheduleView[];
  /** Problems that need an operator. */
  readonly problems: readonly string[];
}

export interface HoldView {
  readonly name: string;
  /** Of a hold for pods: how many the group needs for them. */
  readonly nodes: number;
  readonly pods?: HeldPodsView;
  /** When it was made, if its parameter says so. */
  readonly from?: number;
  readonly until: number;
  /** The person or schedule that made it. */
  readonly by?: string;
  readonly state: HoldStateName;
  readonly reason: string;
}

/** The pods that a hold asks room for, and what prewarm has found of them. */
export interface HeldPodsView {
  /** Such as `40 pods with app=web in shop`. */
  readonly asks: string;
  /** How many have no node; undefined until they have been read. */
  readonly open?: number;
  /** How many of the open ones have room on Ready nodes. */
  readonly placed?: number;
}

export interface ScheduleView {
  readonly name: string;
  readonly nodes: number;
  /** What it asks for instead of nodes, such as `40 pods with app=web in shop`. */
  readonly pods?: string;
  readonly expression: string;
  readonly timeZone: string;
  readonly paused: boolean;
  readonly leadSeconds: number;
  /** Whether the lead is measured from launches of the group, or set. */
  readonly measured: boolean;
  /** The next ones, whose holds have not ended. */
  readonly occurrences: readonly PreviewedOccurrence[];
}

export interface BudgetView {
  /** `namespace/name` */
  readonly name: string;
  readonly allowed: number;
  readonly healthy: number;
  readonly desired: number;
  readonly expected: number;
  /** The number of replicas with which it allows a disruption; undefined if no number would. */
  readonly enoughReplicas?: number;
  /** Why Kubernetes cannot count its pods. */
  readonly failure?: string;
}

export interface Seen {
  /** When it was last read, if it cannot be read now; undefined if it is current. */
  readonly seenAt?: number;
}

export interface RequestView {
  readonly name: string;
  /** The node that it is for; empty if it cannot be read. */
  readonly nodeName: string;
  readonly kind: 'client' | 'serving';
  readonly requester: string;
  readonly at: number;
  readonly state: 'pending' | 'denied';
  /** Why it was denied. */
  readonly reason?: string;
  /** The number of similar ones, of which it is the newest; undefined if it is the only one. */
  readonly times?: number;
}

export interface EtcdView {
  readonly members: readonly {
    readonly instanceId: string;
    readonly standing: 'voter' | 'learner' | 'removed';
    readonly serves: boolean;
    readonly leads: boolean;
  }[];
  /** Members that can vote, whether they run or not. */
  readonly voters: number;
  /** Voters that run and serve. */
  readonly servingVoters: number;
  readonly quorum: number;
  /** When the newest snapshot was stored. */
  readonly snapshotAt?: number;
}

export interface EtcdStatusView {
  readonly state: 'ok' | 'attention' | 'unknown';
  readonly reason: string;
}

export interface CredentialView extends Seen {
  readonly parameterName: string;
  /** Undefined if none is published. */
  readonly publishedAt?: number;
}

export interface InstanceView {
  readonly instanceId: string;
  readonly availabilityZone: string;
  /** When it was launched; undefined if that was not read. */
  readonly launchedAt?: number;
  /** Undefined if it was not read, like `market` and `ec2State`. */
  readonly instanceType?: string;
  readonly market?: 'spot' | 'reserved' | 'on-demand';
  /** In Auto Scaling's words: `Terminating:Wait`. */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  /** Its units of capacity; undefined if they were not read or the group counts instances. */
  readonly weight?: number;
  /** In EC2's words; `terminated` also for one that EC2 no longer shows. */
  readonly ec2State?: string;
  /** Empty if they cannot be read: AWS does not show them. */
  readonly waits: readonly WaitView[];
  /** What it waits for to be in service, or to go: as the last pass over it said, or from what is known of it. */
  readonly lastPass?: string;
  /** Absent until the instance has joined, and after its Node was deleted. */
  readonly node?: NodeView;
  /** Whether it has a Node is unknown: the cluster does not answer. */
  readonly nodeUnknown?: true;
}

export interface WaitView {
  readonly lifecycleHookName: string;
  readonly heartbeatTimeoutSeconds: number;
  /** When the wait ends unless a heartbeat comes. */
  readonly expiresAt: number;
}

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  readonly leaving?: LeavingView;
  /** Undefined if it was not read. */
  readonly pods?: readonly PodView[];
}

/** What Drover has written on the Node. */
export interface LeavingView extends Seen {
  readonly cause: ReasonToLeave;
  readonly since: number;
  readonly until?: number;
  /** `namespace/pod (reason)`, the first few. */
  readonly waitingFor: readonly string[];
  readonly andMore: number;
  /** Pods were deleted past their budgets. */
  readonly isForced?: true;
}

/** `pending`: not yet ready, or not yet anywhere. `finished`: it has ended as it should. */
export type PodState = 'running' | 'pending' | 'terminating' | 'finished' | 'failed';

export interface PodView {
  readonly uid: string;
  /** `namespace/name` */
  readonly name: string;
  readonly state: PodState;
  /** A DaemonSet's: it stays on a node that is drained. */
  readonly daemon: boolean;
}

export interface QueueView {
  readonly queueName: string;
  readonly deadLetters: boolean;
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** A line of the story on the terminal. */
export interface NewsView {
  readonly at: number;
  /** The actor: `aws`, `drover`. */
  readonly speaker: string;
  readonly text: string;
}

export interface PassView {
  /** Grows with every pass. */
  readonly number: number;
  readonly at: number;
  readonly work: string;
  readonly subject: string;
  /** `done`, `again` or `failed`; of other lines of a log, what it says, such as `warning`. */
  readonly outcome: string;
  readonly reason: string;
  readonly afterSeconds?: number | undefined;
  readonly seconds?: number | undefined;
}
