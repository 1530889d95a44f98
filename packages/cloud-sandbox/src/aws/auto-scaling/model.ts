import type {
  CreateAutoScalingGroupType,
  DesiredConfiguration,
  InstanceRefreshStatus,
  LifecycleState,
  RefreshStrategy,
  ScaleInProtectedInstances,
  ScalingActivityStatusCode,
  StandbyInstances,
  WarmPoolConfiguration,
} from '@aws-sdk/client-auto-scaling';
import type { Timer } from '../../simulation/clock.ts';
import type { InstanceLifecycle } from '../ec2/model.ts';
import type { Cron } from '../events/cron.ts';
import type { RefreshPercentages } from './maintenance-policy.ts';
import type { Passage } from './passages.ts';

export type LifecycleResult = 'CONTINUE' | 'ABANDON';
export type LifecycleTransition =
  | 'autoscaling:EC2_INSTANCE_LAUNCHING'
  | 'autoscaling:EC2_INSTANCE_TERMINATING';

export interface Hook {
  readonly name: string;
  readonly transition: LifecycleTransition;
  readonly heartbeatTimeoutSeconds: number;
  readonly defaultResult: LifecycleResult;
  readonly notificationTargetArn: string | undefined;
  readonly roleArn: string | undefined;
  readonly notificationMetadata: string | undefined;
}

/** One instance that waits for one hook, with the hook as it was when the wait began. */
export interface LifecycleAction {
  readonly token: string;
  readonly hook: Hook;
  readonly member: Member;
  readonly globalDeadline: number;
  expiresAt: number;
  timer: Timer | undefined;
}

/** An instance in a wait state: what it still waits for, and the state that follows. */
export interface Wait {
  readonly passage: Passage;
  readonly actions: Map<string, LifecycleAction>;
  readonly settled: (result: LifecycleResult) => void;
}

export interface Activity {
  readonly activityId: string;
  readonly groupName: string;
  readonly groupArn: string;
  readonly cause: string;
  readonly startedAt: number;
  readonly details: string;
  description: string;
  endedAt: number | undefined;
  statusCode: ScalingActivityStatusCode;
  statusMessage: string | undefined;
  progress: number;
}

export interface MemberTemplate {
  readonly LaunchTemplateId: string;
  readonly LaunchTemplateName: string;
  /** The number, also where the group says `$Latest`. */
  readonly Version: string;
}

/** An instance as the group knows it. Change `state`, `leaving` through members.ts only: the group counts along. */
export interface Member {
  readonly instanceId: string;
  readonly group: Group;
  readonly instanceType: string;
  readonly imageId: string;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  readonly subnetId: string;
  readonly launchTemplate: MemberTemplate | undefined;
  readonly lifecycle: InstanceLifecycle;
  readonly launchedAt: number;
  state: LifecycleState;
  health: 'Healthy' | 'Unhealthy';
  protectedFromScaleIn: boolean;
  inServiceSince: number | undefined;
  /** It is to go as soon as its replacement serves, and no longer counts. */
  leaving: string | undefined;
  /** The passage that it is in, until it has arrived. */
  passage: Passage | undefined;
  wait: Wait | undefined;
  activity: Activity | undefined;
}

export interface GroupTag {
  readonly key: string;
  readonly value: string;
  readonly propagateAtLaunch: boolean;
}

export interface InstanceRefreshRecord {
  readonly id: string;
  readonly startedAt: number;
  readonly percentages: RefreshPercentages;
  readonly warmupSeconds: number;
  readonly bakeSeconds: number;
  readonly strategy: RefreshStrategy;
  readonly skipsMatching: boolean;
  readonly protectedInstances: ScaleInProtectedInstances;
  readonly standbyInstances: StandbyInstances;
  /** What instances are launched with while it is active; what the group has once it is successful. */
  readonly desiredConfiguration: DesiredConfiguration | undefined;
  readonly total: number;
  /** Instances still to be replaced. */
  readonly remaining: Set<string>;
  /** Since when it can replace nothing. */
  blockedSince: number | undefined;
  bakesSince: number | undefined;
  /** Whether a cancellation waits for launches and terminations under way. */
  waitsForTransitions: boolean;
  endedAt: number | undefined;
  status: InstanceRefreshStatus;
  statusReason: string | undefined;
}

export type WarmPool = Omit<WarmPoolConfiguration, 'Status'> & { deleting: boolean };

export interface ScheduledAction {
  readonly name: string;
  readonly recurrence: string | undefined;
  /** Undefined for an action that runs once. */
  readonly cron: Cron | undefined;
  readonly timeZone: string;
  readonly hasTimeZone: boolean;
  readonly endsAt: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly desired: number | undefined;
  nextAt: number;
  timer: Timer | undefined;
}

/** In units of capacity: the sums of the weights, which are 1 by default. */
export interface Counts {
  /** Members that count towards the desired capacity. */
  active: number;
  onDemand: number;
  inService: number;
  readonly byZone: Map<string, number>;
}

/** The settings of CreateAutoScalingGroup that are kept as they were given. */
export type GroupSettings = Omit<
  CreateAutoScalingGroupType,
  | 'AutoScalingGroupName'
  | 'MinSize'
  | 'MaxSize'
  | 'DesiredCapacity'
  | 'Tags'
  | 'LifecycleHookSpecificationList'
  | 'TargetGroupARNs'
>;

export interface Group {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  settings: GroupSettings;
  minimum: number;
  maximum: number;
  desired: number;
  readonly counts: Counts;
  readonly members: Map<string, Member>;
  /** Members with a `leaving` reason. */
  readonly leaving: Set<Member>;
  readonly hooks: Map<string, Hook>;
  readonly tags: Map<string, GroupTag>;
  readonly targetGroupArns: Set<string>;
  /** Process -> reason. */
  readonly suspended: Map<string, string>;
  readonly activities: Activity[];
  readonly refreshes: InstanceRefreshRecord[];
  readonly scheduledActions: Map<string, ScheduledAction>;
  warmPool: WarmPool | undefined;
  /** The zone from which an active zonal shift of ARC moves the group away. */
  shiftedZone: string | undefined;
  deleting: 'no' | 'pending';
  /** Why the desired capacity changed last, in AWS's words: the beginning of every cause until it is reached. */
  capacityCause: string;
  /** How many instances are to be replaced for their health: their launches say so. */
  replacements: number;
  launchFailures: number;
  launchesResumeAt: number;
  reconcileTimer: Timer | undefined;
  /** Set to when the next instance reaches the group's maximum instance lifetime. */
  lifetimeTimer: Timer | undefined;
}
