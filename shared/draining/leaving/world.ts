import type { Clock } from '../../base/clock.ts';
import type { AutoScaling } from '../../lifecycle/auto-scaling.ts';
import type { Ec2 } from '../../lifecycle/ec2.ts';
import type { LeavingSettings } from '../../lifecycle/group-settings.ts';
import type { LeavingNotice } from '../../lifecycle/notice.ts';
import type { TargetHealth } from '../../lifecycle/target-health.ts';
import type { DrainCluster } from '../cluster.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { LeaverMemory } from './memory.ts';

/** All that a leaving pass reads and acts on. */
export interface LeavingWorld {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly targetHealth: TargetHealth;
  readonly cluster: DrainCluster;
  readonly clock: Clock;
  readonly memory: LeaverMemory;
  /** Shared by the passes of one invocation: evictions under one budget collide in the API server where they come together. */
  readonly oneAtATime: OneAtATime;
  /** Told of what went wrong beside the way, such as an Event that could not be recorded; the pass goes on. */
  readonly onTrouble: (what: string, error: unknown) => void;
  readonly settings: {
    readonly clusterName: string;
    /** The hook that a leaving pass completes, and no other. */
    readonly leavingHookName: string;
    /** Where this one stands on a group, an ABANDON of ours would end its wait: then only CONTINUE. */
    readonly etcdHookName: string;
    readonly defaults: LeavingSettings;
    readonly maxLeavingPerCluster: number;
  };
}

/** One instance, with every notice about it that has arrived together. */
export interface LeavingSubject {
  readonly instanceId: string;
  readonly notices: readonly LeavingNotice[];
  /** A pass was begun for it before, here or elsewhere. */
  readonly redelivered?: boolean;
}
