import type { EtcdSettings } from '../../../shared/etcd/decision.ts';
import type { BirthState } from '../../../shared/etcd/mark.ts';
import type { EtcdObservation } from '../../../shared/etcd/observe.ts';
import { instancesInRecords } from '../../../shared/etcd/records.ts';

type Seen = Pick<EtcdObservation, 'zone' | 'instances' | 'others'>;

/** The instances that the records or the first set name. */
export const namedInstances = (
  { zone }: Pick<Seen, 'zone'>,
  { naming }: Pick<EtcdSettings, 'naming'>,
  birth?: BirthState,
): readonly string[] => [
  ...new Set([...instancesInRecords(zone, naming), ...(birth?.kind === 'forming' ? birth.set : [])]),
];

/** The instances that still exist: their data may be the last copy. */
export const instancesAtStake = (
  seen: Seen,
  settings: Pick<EtcdSettings, 'naming'>,
  birth?: BirthState,
): readonly string[] =>
  namedInstances(seen, settings, birth).filter((id) => {
    const instance = seen.instances.find(({ instanceId }) => instanceId === id);
    return instance ? !instance.gone : ['running', 'stopped'].includes(seen.others.get(id) ?? 'gone');
  });
