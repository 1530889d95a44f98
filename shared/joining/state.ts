import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { InstanceRequests } from '../certificates/decider.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import type { AutoScalingGroup, GroupInstance } from '../groups/group.ts';
import type { Noted } from '../passes/steps.ts';
import type { JoiningSubject } from './context.ts';
import type { GiveUp } from './give-up.ts';
import type { JoinPlan } from './join-plan.ts';
import type { Readiness } from './readiness.ts';
import type { JoiningSettings } from './settings.ts';

/** The state of a pass grows from step to step: each of these is what one step adds. */
export interface Started extends Noted {
  readonly subject: JoiningSubject;
}

/** Auto Scaling holds the instance on launching hooks, and its group is managed. */
export interface Joining {
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly settings: JoiningSettings;
  /** Undefined where EC2 does not know the instance yet. */
  readonly ec2: Ec2Instance | undefined;
  /** It is launched into its warm pool, and joins when it leaves the pool. */
  readonly toWarmPool: boolean;
}

/** Our hook stands on the group. */
export interface Planned {
  readonly plan: JoinPlan;
}

/**
 * What this pass did with the certificate requests of the instance:
 * - `decided`: those that were pending, with their verdicts, and those that were decided before;
 * - `failed`: they could not be read, or what they depend on;
 * - `off`: Drover decides none in this cluster, or the instance does not join.
 */
export type OwnRequests =
  | ({ readonly kind: 'decided' } & InstanceRequests)
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'off' };

export interface ClusterObserved {
  readonly requests: OwnRequests;
  /** The instance's own, by its providerID. */
  readonly node: Node | undefined;
  /** The Node of another instance, or of none, under a name of this one. */
  readonly namesake: Node | undefined;
}

/** The instance is past its deadline, and is held. */
export interface Overdue {
  readonly held?: Extract<GiveUp, { readonly kind: 'hold' }>;
}

export interface Judged {
  readonly readiness: Readiness;
}
