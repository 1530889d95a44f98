import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import type { OneAtATime } from '../draining/evict-pods.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2, Ec2Instance } from '../groups/ec2.ts';
import type { AutoScalingGroup, GroupInstance, LifecycleHook } from '../groups/group.ts';
import type { LeavingSettings } from '../groups/group-settings.ts';
import type { TargetHealth } from '../groups/target-health.ts';
import type { EnsureHeartbeats } from '../heartbeats/request.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import type { Notify } from '../notifications/notification.ts';
import type { HooksOf } from '../passes/hook-notice.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { Noted } from '../passes/steps.ts';
import type { LeavePlan } from './leave-plan.ts';
import type { LeavingMemory } from './memory.ts';
import type { Situation } from './situation.ts';

/** The clients, the clock and the settings that a leaving pass works with. */
export interface LeavingContext {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly targetHealth: TargetHealth;
  readonly cluster: DrainCluster;
  readonly clock: Clock;
  readonly memory: LeavingMemory;
  readonly ensureHeartbeats: EnsureHeartbeats;
  /** Sends the message of a notice to the queue of the passes. Rejects if it could not be sent. */
  readonly sendNotice: (notice: LeavingNotice) => Promise<void>;
  /** Shared by the passes of one invocation: parallel evictions under one budget conflict in the API server. */
  readonly oneAtATime: OneAtATime;
  /** Events that are being recorded. Steps do not wait for them; the pass does at its end. */
  readonly events: Promise<void>[];
  /** Logs an error that does not end the pass, such as an Event that could not be recorded. */
  readonly reportError: (message: string, error: unknown) => void;
  readonly notify: Notify;
  readonly settings: {
    readonly clusterName: string;
    /** The only hook that a leaving pass completes. */
    readonly leavingHookName: string;
    /** ABANDON of our hook would end the wait of this hook too, so if a group has it, our hook is only completed with CONTINUE. */
    readonly etcdHookName: string;
    readonly defaults: LeavingSettings;
    readonly maxLeavingPerCluster: number;
    /** A notification is sent if pods are held for longer than this. */
    readonly notifyHeldAfterSeconds: number;
  };
}

/**
 * Reads that a pass begins at once, because nothing but its notices is needed for them. Each is undefined if the pass may not need it. If
 * one fails, the step that needs its answer fails.
 */
export interface BegunReads {
  /** When the pass began, in epoch milliseconds. */
  readonly at: number;
  readonly hooksOf: HooksOf;
  readonly ec2?: Promise<Ec2Instance | undefined>;
  readonly markedNode?: Promise<Node | undefined>;
}

/** One instance, with all notices about it that arrived together. */
export interface LeavingSubject {
  readonly instanceId: string;
  readonly notices: readonly LeavingNotice[];
  /** One of its messages was received before, so that its Node may already be marked. */
  readonly redelivered?: boolean;
  /** The highest receive count among its messages, including this delivery. */
  readonly receiveCount?: number;
  /** What this pass began to read before its first step that waits. */
  readonly begun?: BegunReads;
}

/** The state of a pass grows from step to step. Each of the following types is what one step adds. */
export interface Started extends Noted {
  readonly subject: LeavingSubject;
}

/** What Auto Scaling and EC2 report about the instance, and what that means. */
export interface Observed {
  readonly observation: {
    readonly situation: Situation;
    readonly instance: GroupInstance | undefined;
    readonly ec2: Ec2Instance | undefined;
    /** Undefined if the instance is not in a group of this cluster. */
    readonly managedGroup: AutoScalingGroup | undefined;
    readonly settings: LeavingSettings;
    /** Tags of the group that could not be read. */
    readonly tagProblems: readonly string[];
  };
}

/** The instance really leaves, and its group is managed. */
export interface Leaving {
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly settings: LeavingSettings;
  /** Undefined if EC2 was not read. */
  readonly ec2: Ec2Instance | undefined;
  /** Auto Scaling holds it on its terminating hooks: in Terminating:Wait, or in Warmed:Pending:Wait on its return to a warm pool. */
  readonly waits: boolean;
  readonly toWarmPool: boolean;
  /** Its group has lost the tag of the cluster during the wait, so AWS denies heartbeats and the completion. */
  readonly isDenied?: boolean;
  /** It comes back with a new root volume, to the same Node. */
  readonly keepsNode: boolean;
}

export interface TurnTaken {
  /** It has not taken its turn, because its replacement is missing. */
  readonly turnIsDue?: true;
}

export interface Planned {
  readonly hooks: readonly LifecycleHook[];
  readonly plan: LeavePlan;
}

export interface NodeFound {
  readonly node: Node;
  /** Other Nodes name the instance too. */
  readonly hasTwins?: boolean;
  /** Undefined if no pass has marked the Node yet. */
  readonly mark?: LeavingMark;
}

export interface Marked {
  readonly node: Node;
  readonly mark: LeavingMark;
}

export interface Drained {
  /** Pods that stay on the node, such as those of DaemonSets. */
  readonly podsLeft: readonly Pod[];
}

/** The result for the Node, for the outcome (`node X is drained and deleted`). A Node that is kept is not deleted. */
export interface NodeDeleted {
  readonly nodeResult: string;
  /** The instance has no Node any more. */
  readonly nodeIsGone?: boolean;
  /** From the mark to the end of the drain; undefined if the drain failed or there was nothing to drain. */
  readonly drainSeconds?: number;
}

/**
 * How a leave ended: our hook was completed, or waited no longer; the instance waited on no hook of ours, was handed back to Auto Scaling, or had
 * left its group.
 */
export type Release = 'completed' | 'not-active' | 'no-hook' | 'handed-back' | 'left';

/** How a wait, or the time of an instance in service, ended, with the words for the operator. */
export interface EndedWait {
  readonly release: Release;
  readonly text: string;
}

/** The instance waited on no hook, and was handed back before the deletion of its Node. */
export interface HandedBack {
  /** Undefined if it waits, or was not handed back yet. */
  readonly handedBack?: EndedWait;
}
