import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { PodsCheck } from './check-pods.ts';
import type { FailedLaunches, TargetReading } from './launches.ts';
import type { RollMember } from './member.ts';
import type { RollFacts } from './progress.ts';
import type { Roll, RollSeen } from './roll.ts';

/**
 * What is known of the new nodes of a group that carry pods first:
 * - `passed`: the others may follow;
 * - `waits`: it is not Ready, or its pods are not yet Ready for long enough;
 * - `failed`: the roll stops.
 */
export interface CanaryVerdict {
  readonly kind: 'passed' | 'waits' | 'failed';
  readonly reason: string;
}

/** What one step of a roll is decided from. */
export interface StepFacts extends RollFacts {
  readonly roll: Roll;
  /** Undefined before the first step, and if it is about an earlier roll of that name. */
  readonly seen?: RollSeen;
  readonly now: number;
  /** All Nodes of the cluster. */
  readonly nodes: readonly Node[];
  /** The other rolls that have not ended. */
  readonly others: readonly Pick<Roll, 'name' | 'groups' | 'startedAt'>[];
  /** What each group of the roll would launch now. */
  readonly targets: ReadonlyMap<string, TargetReading>;
  /** The ids of active instance refreshes, by group. */
  readonly refreshes: ReadonlyMap<string, string>;
  /** The groups without a hook with which Drover holds a terminating instance, by name; undefined if hooks are not read. */
  readonly withoutHook?: ReadonlySet<string>;
  /** The launches that failed since the roll began or was resumed, by group. */
  readonly failedLaunches: ReadonlyMap<string, FailedLaunches>;
  /** The alarms of `stopOn` that are in alarm. */
  readonly raisedAlarms: readonly string[];
  /** The alarms of `stopOn` that do not exist. */
  readonly unknownAlarms: readonly string[];
  /** By group. */
  readonly canaries: ReadonlyMap<string, CanaryVerdict>;
  /** The Nodes of new instances that carry nothing, by name; undefined if their pods are not read. */
  readonly emptyNodes?: ReadonlySet<string>;
  /** Undefined if this pass has not looked: it is done already, or not needed. */
  readonly podsCheck?: PodsCheck;
  /** Why the roll's window is closed now; undefined while it is open. */
  readonly closed?: string;
}

/** The empty Nodes that are kept from autoscalers from now on, until they carry pods, and those that are not any more. */
export interface KeepChanges {
  readonly keep: readonly Node[];
  readonly letGo: readonly Node[];
}

/** The next change of a roll, the state that it is in, and the reason for people. `wait` changes nothing but what `kept` and `uncordoned` say. */
export type Step = Pick<RollSeen, 'state' | 'reason'> & {
  /** Takes no pass of its own: these Nodes are new ones, and so none of those that the step changes. */
  readonly kept?: KeepChanges;
  /** Marked Nodes of instances that leave, which something else has uncordoned. They are cordoned again, in the same pass for the same reason. */
  readonly uncordoned?: readonly Node[];
} & (
    | { readonly kind: 'wait' }
    | { readonly kind: 'taint'; readonly nodes: readonly Node[] }
    /** One of these is marked: the first whose pods no budget holds. */
    | { readonly kind: 'mark'; readonly candidates: readonly NodeOfMember[]; readonly waits: boolean }
    | {
        readonly kind: 'terminate';
        readonly member: RollMember;
        readonly way: TerminationWay;
        /** Whether none may begin beside it: the next pass has time until instances have moved. */
        readonly isLast: boolean;
      }
    /** The roll takes back that this instance is Unhealthy: nothing would replace it. */
    | { readonly kind: 'set-healthy'; readonly member: RollMember }
    /** The marks of these Nodes are removed, and their cordons, if the marks say that they are the roll's; their taints too, unless they stay. */
    | { readonly kind: 'release'; readonly nodes: readonly Node[]; readonly keepsTaints: boolean }
  );

export interface NodeOfMember {
  readonly member: RollMember;
  readonly node: Node;
}

/**
 * - `terminate`: TerminateInstanceInAutoScalingGroup without a decrement: Auto Scaling launches the replacement while the hook holds the
 *   instance, which its target groups no longer have;
 * - `set-unhealthy`: SetInstanceHealth in a group whose instance maintenance policy launches first: the replacement is in service before the
 *   instance begins to leave.
 */
export type TerminationWay = 'terminate' | 'set-unhealthy';
