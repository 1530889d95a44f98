import type { Clock } from '../base/clock.ts';
import type { OneAtATime } from '../draining/one-at-a-time.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import type { LeavingSettings } from '../groups/group-settings.ts';
import type { TargetHealth } from '../groups/target-health.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { Notify } from '../notifications/notification.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { LeavingMemory } from './memory.ts';

/** The clients, the clock and the settings that a leaving pass works with. */
export interface LeavingContext {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly targetHealth: TargetHealth;
  readonly cluster: DrainCluster;
  readonly clock: Clock;
  readonly memory: LeavingMemory;
  /** Shared by the passes of one invocation: parallel evictions under one budget conflict in the API server. */
  readonly oneAtATime: OneAtATime;
  /** Events that are being recorded. No step waits for one; the pass does at its end. */
  readonly events: Promise<void>[];
  /** Logs an error that does not end the pass, such as an Event that could not be recorded. */
  readonly reportError: (message: string, error: unknown) => void;
  /** Tells people. */
  readonly notify: Notify;
  readonly settings: {
    readonly clusterName: string;
    /** The only hook that a leaving pass completes. */
    readonly leavingHookName: string;
    /** ABANDON of our hook would end this hook's wait as well: where it stands on a group, our hook is only CONTINUEd. */
    readonly etcdHookName: string;
    readonly defaults: LeavingSettings;
    readonly maxLeavingPerCluster: number;
    /** A drain whose pods are held for so long is told to people. */
    readonly notifyHeldAfterSeconds: number;
  };
}

/** One instance, with all notices about it that arrived together. */
export interface LeavingSubject {
  readonly instanceId: string;
  readonly notices: readonly LeavingNotice[];
  /** One of its messages was received before, so that its Node may already be marked. */
  readonly redelivered?: boolean;
  /** How often the message that was received most often was received, this time included. */
  readonly receiveCount?: number;
}
