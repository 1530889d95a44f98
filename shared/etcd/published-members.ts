import type { EtcdSettings } from './decision.ts';
import { findHostMarks } from './mark.ts';
import { memberHost } from './names.ts';
import type { EtcdObservation } from './observation.ts';
import type { PublishedMember } from './records.ts';

/** The members that DNS shows now. */
export function publishedMembers(
  { zone }: Pick<EtcdObservation, 'zone'>,
  { naming, clusterName }: Pick<EtcdSettings, 'naming' | 'clusterName'>,
): readonly PublishedMember[] {
  return [...findHostMarks(zone.records, naming).values()]
    .filter((mark) => mark.clusterName === clusterName)
    .map(({ instanceId, state, trouble }) => ({
      instanceId,
      state,
      addresses: addressesOf({ zone }, memberHost(instanceId, naming)),
      trouble,
    }));
}

const addressesOf = ({ zone }: Pick<EtcdObservation, 'zone'>, host: string): readonly string[] =>
  zone.records
    .filter(({ name, type }) => name === host && (type === 'A' || type === 'AAAA'))
    .flatMap(({ values }) => values);
