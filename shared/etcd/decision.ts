import type { EtcdMember } from './cluster.ts';
import { findZoneMark, type HostMark } from './mark.ts';
import type { EtcdNaming } from './names.ts';
import type { EtcdInstance, EtcdObservation } from './observe.ts';
import type { Publication } from './records.ts';

/** How a deployment manages its etcd. */
export interface EtcdSettings {
  readonly clusterName: string;
  readonly naming: EtcdNaming;
  readonly ttlSeconds: number;
  /** `dns-only`: records follow the groups, and Drover never asks the members. */
  readonly mode: 'members' | 'dns-only';
}

/** One change of the membership. */
export type EtcdStep =
  | { readonly kind: 'add'; readonly instanceId: string; readonly peerUrl: string }
  | { readonly kind: 'promote'; readonly instanceId: string; readonly memberId: string }
  | {
      readonly kind: 'remove';
      readonly member: EtcdMember;
      readonly instanceId: string;
      readonly why: string;
    };

/** What a member starts as, and the `--initial-cluster-token` of a new one. */
export type StartState = Pick<HostMark, 'instanceId' | 'state' | 'token'>;

export interface HeldInstance {
  readonly instanceId: string;
  readonly why: string;
}

/**
 * What to do in one zone, in this order: publish `existing` for members that serve, change the records and wait until every name
 * server has them, make the step, publish what booting members start as, complete hooks.
 */
export interface EtcdDecision {
  /** What DNS should show; undefined if it stays as it is. */
  readonly publication?: Omit<Publication, 'changedAt'>;
  readonly step?: EtcdStep;
  /** Members that serve. `existing` is published for them first: with `new` they would form a second cluster if all lost their data. */
  readonly formed: readonly string[];
  /** First members of a new birth. Their old states are deleted before any record shows them, because those have an old token. */
  readonly outdated?: readonly string[];
  /** What booting members start as. */
  readonly states: readonly StartState[];
  /** Instances whose hooks may be completed: members that serve, and leaving instances that are no longer members. */
  readonly settled: readonly string[];
  /** Instances whose hooks must wait, and why. */
  readonly held: readonly HeldInstance[];
  /** What needs an operator: one sentence each. */
  readonly problems: readonly string[];
}

export const emptyDecision: EtcdDecision = { formed: [], states: [], settled: [], held: [], problems: [] };

/** Holds every instance for one reason. */
export const holdAll = (instances: readonly EtcdInstance[], why: string): readonly HeldInstance[] =>
  instances.map(({ instanceId }) => ({ instanceId, why }));

/** Changes nothing, holds every instance, and reports the reason as a problem. */
export const blocked = ({ instances }: Pick<EtcdObservation, 'instances'>, why: string): EtcdDecision => ({
  ...emptyDecision,
  held: holdAll(instances, why),
  problems: [why],
});

/** A first boot and a replacement take some minutes. What takes longer than this needs an operator. */
export const patienceSeconds = 900;

/** Whether Drover has changed nothing in the domain for so long that it makes no progress. */
export function hasStalled(
  { zone, now }: Pick<EtcdObservation, 'zone' | 'now'>,
  { naming }: Pick<EtcdSettings, 'naming'>,
): boolean {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' && now / 1000 - mark.changedAt > patienceSeconds;
}
