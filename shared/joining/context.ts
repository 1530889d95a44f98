import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import type { InstanceRequests, RequestDecider } from '../certificates/decider.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2, Ec2Instance } from '../groups/ec2.ts';
import type { AutoScalingGroup, GroupInstance } from '../groups/group.ts';
import type { EnsureHeartbeats } from '../heartbeats/request.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { Notify } from '../notifications/notification.ts';
import type { HooksOf } from '../passes/hook-notice.ts';
import type { Noted } from '../passes/steps.ts';
import type { ConsoleOutput } from './diagnosis.ts';
import type { GiveUp } from './give-up.ts';
import type { JoinPlan } from './join-plan.ts';
import type { JoiningNotice } from './message.ts';
import type { Readiness } from './readiness.ts';
import type { JoiningSettings } from './settings.ts';

/** The clients, the clock and the settings of a joining pass. */
export interface JoiningContext {
  readonly autoScaling: AutoScaling;
  readonly clock: Clock;
  readonly ensureHeartbeats: EnsureHeartbeats;
  /** Logs an error that does not end the pass. */
  readonly reportError: (message: string, error: unknown) => void;
  readonly ec2: Ec2;
  readonly cluster: Pick<
    DrainCluster,
    'getNode' | 'listNodes' | 'patchNode' | 'deleteNode' | 'listPodsOnNode'
  >;
  /** Undefined if Drover does not decide certificate requests, as on EKS. */
  readonly requests: RequestDecider | undefined;
  /** Reads the console of an instance, without anything that looks like a secret. */
  readonly readConsole: (instanceId: string) => Promise<ConsoleOutput>;
  /** How many launches of a group were abandoned since the last one that succeeded. */
  readonly countAbandonedLaunches: (autoScalingGroupName: string) => Promise<number>;
  /** Logs why an instance has not joined: at once, and every few minutes while it is held. */
  readonly reportWhy: (why: WhyNot) => void;
  readonly notify: Notify;
  /** When `reportWhy` was last called for an instance, in epoch milliseconds. */
  readonly reportedWhyAt: Map<string, number>;
  readonly settings: {
    readonly clusterName: string;
    /** The only hook that a joining pass completes. */
    readonly joiningHookName: string;
    readonly defaults: JoiningSettings;
  };
}

/** Why an instance has not joined by its deadline. */
interface WhyNot {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** What the instance has achieved, step by step. */
  readonly steps: readonly string[];
  /** The last lines of its console. */
  readonly console: readonly string[];
}

/** One instance, with all notices about it that arrived together. */
export interface JoiningSubject {
  readonly instanceId: string;
  readonly notices: readonly JoiningNotice[];
}

// The state of a pass. Each of the following types is what one step adds to it.

export interface Started extends Noted {
  readonly subject: JoiningSubject;
}

/** The instance waits on its launching hooks, and its group is managed. */
export interface Joining {
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly hooksOf: HooksOf;
  readonly settings: JoiningSettings;
  /** Undefined if EC2 does not know the instance yet. */
  readonly ec2: Ec2Instance | undefined;
  /** Whether it is launched into its warm pool. It joins when it leaves the pool. */
  readonly toWarmPool: boolean;
}

/** The group has our hook. */
export interface Planned {
  readonly plan: JoinPlan;
}

/**
 * What this pass did with the certificate requests of the instance:
 * - `decided`: it decided those that were pending, and read those that were decided before;
 * - `failed`: the requests, or what their decision depends on, could not be read;
 * - `off`: Drover decides no requests in this cluster, or the instance does not join.
 */
export type OwnRequests =
  | ({ readonly kind: 'decided' } & InstanceRequests)
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'off' };

export interface ClusterObserved {
  readonly requests: OwnRequests;
  /** The Node of the instance, by its providerID. */
  readonly node: Node | undefined;
  /** A Node with the name of this instance that belongs to another instance or to none. */
  readonly namesake: Node | undefined;
}

/** The instance has not joined by its deadline, and is held. */
export interface Overdue {
  readonly held?: Extract<GiveUp, { readonly kind: 'hold' }>;
}

export interface Judged {
  readonly readiness: Readiness;
}
