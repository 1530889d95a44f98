import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import type { EnsureHeartbeats } from '../heartbeats/request.ts';
import type { EtcdCluster } from './cluster.ts';
import type { EtcdSettings, StartState } from './decision.ts';
import type { EtcdMemory } from './memory.ts';
import type { HostedZone } from './zone.ts';

/** The parameters in which booting members read what to start as. */
export interface MemberStates {
  /** Writes the parameter, unless it has this state already. */
  publish(state: StartState): Promise<void>;
  /** Does nothing for an instance that was never published. */
  forget(instanceId: string): Promise<void>;
}

/** The dependencies of a pass over an etcd zone. */
export interface EtcdContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'complete'>;
  readonly ec2: Ec2;
  readonly zone: HostedZone;
  /** Undefined if Drover cannot reach etcd. */
  readonly cluster?: EtcdCluster;
  readonly states: MemberStates;
  /** Resolves with why a member must not be removed yet: the cluster has no fresh snapshot. Undefined if backups are kept elsewhere. */
  readonly staleSnapshotReason?: (clusterId: string) => Promise<string | undefined>;
  /** Sets the tag drover.dev/etcd-status of a group; undefined removes it. */
  readonly setStatusTag: (autoScalingGroupName: string, value: string | undefined) => Promise<void>;
  readonly clock: Clock;
  readonly memory: EtcdMemory;
  /** Receives failures that do not stop the pass. */
  readonly onProblem: (what: string, error: unknown) => void;
  readonly settings: EtcdSettings;
  /** The only hooks that a pass over the zone completes. */
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
}

/** The context of a pass, which also keeps the waits of instances alive. */
export interface EtcdPassContext extends EtcdContext {
  readonly ensureHeartbeats: EnsureHeartbeats;
}
