import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import type { AutoScalingGroup, GroupInstance, LifecycleHook } from '../groups/group.ts';
import type { LeavingSettings } from '../groups/group-settings.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import type { Noted } from '../passes/steps.ts';
import type { LeavingSubject } from './context.ts';
import type { LeavePlan } from './leave-plan.ts';
import type { Observation } from './observe.ts';

/** The state of a pass grows from step to step: each of these is what one step adds. */
export interface Started extends Noted {
  readonly subject: LeavingSubject;
}

export interface Observed {
  readonly observation: Observation;
}

/** The instance really leaves, and its group is managed. */
export interface Leaving {
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly settings: LeavingSettings;
  /** Where EC2 was asked for it. */
  readonly ec2: Ec2Instance | undefined;
  /** Auto Scaling holds it on its terminating hooks: in Terminating:Wait, or in Warmed:Pending:Wait on its return to a warm pool. */
  readonly waits: boolean;
  readonly toWarmPool: boolean;
  /** It comes back with a new root volume, to the same Node. */
  readonly keepsNode: boolean;
}

export interface Planned {
  readonly hooks: readonly LifecycleHook[];
  readonly plan: LeavePlan;
}

export interface NodeFound {
  readonly node: Node;
  /** Other Nodes name the instance too. */
  readonly hasTwins?: boolean;
  /** Absent: no pass has marked the Node yet. */
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

/** The result for the Node, in words (`node X is drained and deleted`). A Node that is kept is not deleted. */
export interface NodeDeleted {
  readonly nodeResult: string;
  /** From the mark to the end of the drain; absent where the drain failed or there was nothing to drain. */
  readonly drainSeconds?: number;
}
