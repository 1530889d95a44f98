import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import type { Ec2 } from '../lifecycle/ec2.ts';
import type { EtcdCluster } from './cluster.ts';
import type { EtcdTerms } from './decision.ts';
import type { HostMark } from './mark.ts';
import type { EtcdMemory } from './memory.ts';
import type { HostedZone } from './zone.ts';

/** What booting members read to know what to start as. */
export interface MemberStates {
  publish(state: Pick<HostMark, 'instanceId' | 'state'>): Promise<void>;
  /** One that was never published is no mistake. */
  forget(instanceId: string): Promise<void>;
}

/** All that a pass over an etcd zone reads and acts on. */
export interface EtcdWorld {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'recordHeartbeat' | 'complete'>;
  readonly ec2: Ec2;
  readonly zone: HostedZone;
  /** Absent where Drover cannot reach etcd. */
  readonly cluster?: EtcdCluster;
  readonly states: MemberStates;
  /** Why a member must not be removed yet: there is no fresh backup of the cluster. Absent where backups are kept elsewhere. */
  readonly reasonForSnapshot?: (clusterId: string) => Promise<string | undefined>;
  /** Says on a group what keeps its instances waiting; undefined takes the word away. */
  readonly tellGroup: (autoScalingGroupName: string, words: string | undefined) => Promise<void>;
  readonly clock: Clock;
  readonly memory: EtcdMemory;
  /** Told of what went wrong beside the way; the pass goes on. */
  readonly onTrouble: (what: string, error: unknown) => void;
  readonly terms: EtcdTerms;
  /** The hooks that a pass over the zone completes, and no others. */
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
}
