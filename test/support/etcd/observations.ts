import { domain } from '../../../local/world/etcd/etcd-world.ts';
import type { EndpointStatus, EtcdMember, MemberList } from '../../../shared/etcd/cluster.ts';
import type { EtcdSettings } from '../../../shared/etcd/decision.ts';
import type { BirthState, MemberTrouble } from '../../../shared/etcd/mark.ts';
import { memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import type { EtcdInstance, EtcdObservation } from '../../../shared/etcd/observe.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { zoneOf } from './arbitraries.ts';

export const settings: EtcdSettings = {
  clusterName: 'prod',
  naming: { domain, services: 'ssl' },
  ttlSeconds: 10,
  mode: 'members',
};

export const clusterId = '9a3f';

/** `i-00000000000000001` for 1. */
export const id = (number: number): string => `i-${String(number).padStart(17, '0')}`;

export const instance = (number: number, changes: Partial<EtcdInstance> = {}): EtcdInstance => ({
  instanceId: id(number),
  autoScalingGroupName: 'etcd',
  phase: 'serving',
  runs: true,
  gone: false,
  addresses: [`10.0.0.${number}`],
  ...changes,
});

export const member = (number: number, changes: Partial<EtcdMember> = {}): EtcdMember => ({
  id: String(number),
  name: id(number),
  peerUrls: [peerUrl(memberHost(id(number), settings.naming), settings.naming)],
  clientUrls: ['https://x:2379'],
  isLearner: false,
  ...changes,
});

export const answers = (
  changes: Partial<Extract<EndpointStatus, { kind: 'answers' }>> = {},
): EndpointStatus => ({
  kind: 'answers',
  clusterId,
  // In a scene, an etcd answers with the id of the member on its instance.
  memberId: '',
  healthy: true,
  alarms: [],
  isLearner: false,
  version: '3.6.16',
  databaseBytes: 1,
  revision: '1',
  ...changes,
});

export const silent: EndpointStatus = { kind: 'silent', why: 'unreachable', message: 'connection refused' };

export const withMemberId = (status: EndpointStatus, instanceId: string): EndpointStatus =>
  status.kind === 'answers' && status.memberId === ''
    ? { ...status, memberId: String(Number(instanceId.slice(2))) }
    : status;

export interface Scene {
  readonly instances: readonly EtcdInstance[];
  readonly desired?: number;
  /** What DNS shows; absent: nothing yet. */
  readonly birth?: BirthState;
  readonly published?: readonly number[];
  readonly members?: readonly EtcdMember[];
  /** Absent for an instance: it is silent. */
  readonly statuses?: Readonly<Record<number, EndpointStatus>>;
  readonly others?: EtcdObservation['others'];
  /** What the host marks say is wrong, by number. */
  readonly troubles?: Readonly<Record<number, MemberTrouble>>;
  /** Epoch seconds since Drover last changed the domain; absent: `changedAt`. */
  readonly changedAt?: number;
}

export const changedAt = 1000;

/** The observation of a test's scene. */
export function observationOf(scene: Scene): EtcdObservation {
  const { instances, birth, published = [], members, statuses = {}, others = new Map() } = scene;
  const { troubles = {} } = scene;
  const state = birth?.kind === 'forming' ? ('new' as const) : ('existing' as const);
  const records = birth
    ? recordsOf({
        ...settings,
        birth,
        changedAt: scene.changedAt ?? changedAt,
        members: published.map((number) => ({
          instanceId: id(number),
          addresses: [`10.0.0.${number}`],
          state,
          trouble: troubles[number],
        })),
      })
    : [];
  const list: MemberList | undefined = members && { clusterId, members };
  return {
    now: 10_000_000,
    desiredMembers: scene.desired ?? instances.length,
    instances,
    others,
    zone: zoneOf(records),
    cluster: {
      kind: 'asked',
      statuses: new Map(
        instances.map(({ instanceId }) => [
          instanceId,
          withMemberId(statuses[Number(instanceId.slice(2))] ?? silent, instanceId),
        ]),
      ),
      ...(list ? { list } : { failure: 'no member has quorum' }),
    },
  };
}
