import type { LifecycleHook } from '../groups/group.ts';
import type { EndpointStatus, MemberList } from './cluster.ts';
import type { ZoneContent } from './zone.ts';

/** An instance of an etcd group, as a pass observes it. */
export interface EtcdInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /**
   * - `arriving`: launched, not in service yet;
   * - `serving`: in service or in standby;
   * - `leaving`: terminating, or already terminated.
   */
  readonly phase: 'arriving' | 'serving' | 'leaving';
  /** Our hook that it waits on; absent if the group has none or the instance is in no wait state. */
  readonly waitsOn?: LifecycleHook;
  /** It leaves, and no hook of ours holds it: it may be gone at any moment. */
  readonly unheld?: true;
  /** An instance refresh has just replaced its root volume, and with it the data of a member that was not removed. */
  readonly emptied?: true;
  /** It is running or pending in EC2. */
  readonly runs: boolean;
  /** It is terminated or shutting down in EC2, and does not come back. */
  readonly gone: boolean;
  /** Epoch milliseconds; absent where EC2 does not know the instance yet. */
  readonly launchedAt?: number;
  /** Private addresses, IPv4 first; empty until EC2 has assigned one. */
  readonly addresses: readonly string[];
}

/** What EC2 says about an instance that has a member or a record, and is in no etcd group. */
export type InstancePresence = 'running' | 'stopped' | 'gone' | 'unknown-to-ec2';

/** What the members report; `not-asked` if this deployment cannot reach etcd. */
export type ClusterObservation =
  | { readonly kind: 'not-asked' }
  | {
      readonly kind: 'asked';
      /** By instance. */
      readonly statuses: ReadonlyMap<string, EndpointStatus>;
      /** Absent if no member has quorum. */
      readonly list?: MemberList;
      /** Why there is no list. */
      readonly failure?: string;
    };

/** Everything that a pass reads before it decides. */
export interface EtcdObservation {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The sum of the groups' desired capacities. */
  readonly desiredMembers: number;
  readonly instances: readonly EtcdInstance[];
  /** Instances of members and hosts that are in no etcd group. */
  readonly others: ReadonlyMap<string, InstancePresence>;
  readonly zone: ZoneContent;
  readonly cluster: ClusterObservation;
}
