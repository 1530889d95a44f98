import type { EtcdMember } from './cluster.ts';
import type { HostMark } from './mark.ts';
import type { EtcdNaming } from './names.ts';
import type { Publication } from './records.ts';
import type { EtcdInstance, EtcdSight } from './sight.ts';

/** How a deployment looks after its etcd. */
export interface EtcdTerms {
  readonly clusterName: string;
  readonly naming: EtcdNaming;
  readonly ttlSeconds: number;
  /** `dns-only`: records follow the groups, and the members are never asked. */
  readonly mode: 'members' | 'dns-only';
}

/** One change of the membership, made by itself. */
export type EtcdStep =
  | { readonly kind: 'add'; readonly instanceId: string; readonly peerUrl: string }
  | { readonly kind: 'promote'; readonly instanceId: string; readonly memberId: string }
  | {
      readonly kind: 'remove';
      readonly member: EtcdMember;
      readonly instanceId: string;
      readonly why: string;
    };

export interface Held {
  readonly instanceId: string;
  readonly why: string;
}

/**
 * What is to be done about one zone, in this order: bring the records there and wait until every name server has them, make
 * the step, tell members what to start as, complete hooks.
 */
export interface EtcdDecision {
  /** What DNS is to show; absent: as it stands. */
  readonly publication?: Omit<Publication, 'changedAt'>;
  readonly step?: EtcdStep;
  /** What booting members read. */
  readonly states: readonly Pick<HostMark, 'instanceId' | 'state'>[];
  /** Instances that may go on: members that serve, and leavers that are members no more. */
  readonly settled: readonly string[];
  /** Instances whose hooks are kept, and why. */
  readonly held: readonly Held[];
  /** What an operator must see: each a sentence. */
  readonly problems: readonly string[];
}

export const nothing: EtcdDecision = { states: [], settled: [], held: [], problems: [] };

/** Every instance waits for one reason. */
export const holdAll = (instances: readonly EtcdInstance[], why: string): readonly Held[] =>
  instances.map(({ instanceId }) => ({ instanceId, why }));

/** Nothing is done, every instance waits, and an operator must see why. */
export const standStill = ({ instances }: Pick<EtcdSight, 'instances'>, why: string): EtcdDecision => ({
  ...nothing,
  held: holdAll(instances, why),
  problems: [why],
});
