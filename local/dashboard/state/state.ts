import type { LeavingCause } from '../../../shared/lifecycle/notice.ts';

/** All that the page shows, as plain JSON. Times are milliseconds of the simulation's clock since the epoch. */
export interface DashboardState {
  readonly now: number;
  readonly region: string;
  readonly accountId: string;
  readonly groups: readonly GroupView[];
  /** Nodes without an instance in a group: left behind, or foreign. */
  readonly otherNodes: readonly NodeView[];
  /** Pods without a node. */
  readonly waitingPods: readonly PodView[];
  readonly queues: readonly QueueView[];
  /** The alarms that are in ALARM now. */
  readonly alarms: readonly AlarmView[];
  /** The last passes, the newest first. */
  readonly passes: readonly PassView[];
  /** The last lines of the story, the newest first. */
  readonly news: readonly NewsView[];
}

export interface GroupView {
  readonly autoScalingGroupName: string;
  readonly role: string | undefined;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly inService: number;
  readonly instances: readonly InstanceView[];
}

export interface InstanceView {
  readonly instanceId: string;
  readonly availabilityZone: string;
  readonly instanceType: string;
  readonly market: 'spot' | 'on-demand';
  /** In Auto Scaling's words: `Terminating:Wait`. */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  /** In EC2's words; `terminated` also for one that EC2 no longer shows. */
  readonly ec2State: string;
  readonly waits: readonly WaitView[];
  /** What it waits for to be in service, as the last pass over its launch said. */
  readonly joining?: string;
  /** Absent until the instance has joined, and after its Node was deleted. */
  readonly node?: NodeView;
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
  readonly pods: readonly PodView[];
}

/** What Drover has written on the Node. */
export interface LeavingView {
  readonly cause: LeavingCause;
  readonly since: number;
  readonly until?: number;
  /** `namespace/pod (reason)`, the first few. */
  readonly waitingFor: readonly string[];
  readonly andMore: number;
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

export interface AlarmView {
  readonly name: string;
  readonly description: string;
  readonly since: number;
}

/** A line of the story that the terminal tells. */
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
  readonly outcome: 'done' | 'again' | 'failed';
  readonly reason: string;
  readonly afterSeconds?: number | undefined;
  readonly seconds: number;
}
