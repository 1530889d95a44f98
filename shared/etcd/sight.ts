import type { LifecycleHook } from '../lifecycle/group.ts';
import type { EndpointStatus, MemberList } from './cluster.ts';
import type { ZoneContent } from './zone.ts';

/** An instance of an etcd group, as a pass over the zone sees it. */
export interface EtcdInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /**
   * - `arriving`: launched, not in service yet;
   * - `serving`: in service or in standby;
   * - `leaving`: on its way out.
   */
  readonly phase: 'arriving' | 'serving' | 'leaving';
  /** Our hook, on which it waits or may wait; absent where the group has none or it is in no wait. */
  readonly waitsOn?: LifecycleHook;
  /** EC2 has it, and it is neither stopped nor gone. */
  readonly runs: boolean;
  /** EC2 has terminated it, or is about to: it does not come back. */
  readonly gone: boolean;
  /** Private addresses, IPv4 first; empty until EC2 has given one. */
  readonly addresses: readonly string[];
}

/** What EC2 says of an instance that is in no etcd group any more but a member or a record. */
export type Whereabouts = 'running' | 'gone' | 'unknown-to-ec2';

/** What the members say; `not-asked` where this deployment does not reach etcd. */
export type ClusterSight =
  | { readonly kind: 'not-asked' }
  | {
      readonly kind: 'asked';
      /** By instance. */
      readonly statuses: ReadonlyMap<string, EndpointStatus>;
      /** Undefined where no member has quorum. */
      readonly list?: MemberList;
      /** Why there is no list, in words. */
      readonly failure?: string;
    };

/** Everything that a pass over a zone looks at, read at one time. */
export interface EtcdSight {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The sum of the groups' desired capacities: as many members there are to be. */
  readonly desiredMembers: number;
  readonly instances: readonly EtcdInstance[];
  /** Of members and hosts whose instance is in no etcd group. */
  readonly others: ReadonlyMap<string, Whereabouts>;
  readonly zone: ZoneContent;
  readonly cluster: ClusterSight;
}
