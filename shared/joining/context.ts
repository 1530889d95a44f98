import type { RequestDecider } from '../certificates/decider.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { Notify } from '../notifications/notification.ts';
import type { HeartbeatContext } from '../passes/heartbeats.ts';
import type { ConsoleOutput } from './console-output.ts';
import type { JoiningNotice } from './notice.ts';
import type { JoiningSettings } from './settings.ts';

/** The clients, the clock and the settings that a joining pass works with. */
export interface JoiningContext extends HeartbeatContext {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly cluster: Pick<
    DrainCluster,
    'getNode' | 'listNodes' | 'patchNode' | 'deleteNode' | 'listPodsOnNode'
  >;
  /** Undefined where Drover decides no certificate requests, as on EKS. */
  readonly requests: RequestDecider | undefined;
  /** The console of an instance, without what looks like a secret. */
  readonly readConsole: (instanceId: string) => Promise<ConsoleOutput>;
  /** Launches of a group that were abandoned since the last one that succeeded. */
  readonly countAbandonedLaunches: (autoScalingGroupName: string) => Promise<number>;
  /** Says why an instance has not joined: at once, and every few minutes for as long as it is held. */
  readonly sayWhy: (why: WhyNot) => void;
  /** Tells people. */
  readonly notify: Notify;
  /** When it was last said, in epoch milliseconds, by instance. */
  readonly saidWhyAt: Map<string, number>;
  readonly settings: {
    readonly clusterName: string;
    /** The only hook that a joining pass completes. */
    readonly joiningHookName: string;
    readonly defaults: JoiningSettings;
  };
}

/** Why an instance has not joined by its deadline. */
export interface WhyNot {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** What it has achieved, step by step. */
  readonly steps: readonly string[];
  /** The last lines of its console. */
  readonly console: readonly string[];
}

/** One instance, with all notices about it that arrived together. */
export interface JoiningSubject {
  readonly instanceId: string;
  readonly notices: readonly JoiningNotice[];
}
