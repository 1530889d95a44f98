import type { RequestDecider } from '../certificates/decider.ts';
import type { DrainCluster } from '../draining/cluster.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import type { Ec2 } from '../lifecycle/ec2.ts';
import type { HeartbeatContext } from '../lifecycle/heartbeats/heartbeat.ts';
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
  readonly settings: {
    readonly clusterName: string;
    /** The only hook that a joining pass completes. */
    readonly joiningHookName: string;
    readonly defaults: JoiningSettings;
  };
}

/** One instance, with all notices about it that arrived together. */
export interface JoiningSubject {
  readonly instanceId: string;
  readonly notices: readonly JoiningNotice[];
}
