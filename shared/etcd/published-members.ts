import type { EtcdTerms } from './decision.ts';
import { findHostMarks } from './mark.ts';
import { memberHost } from './names.ts';
import type { PublishedMember } from './records.ts';
import type { EtcdSight } from './sight.ts';

/** The members that DNS shows now, as it shows them. */
export function standingMembers(
  { zone }: Pick<EtcdSight, 'zone'>,
  { naming, clusterName }: Pick<EtcdTerms, 'naming' | 'clusterName'>,
): readonly PublishedMember[] {
  return [...findHostMarks(zone.records, naming).values()]
    .filter((mark) => mark.clusterName === clusterName)
    .map(({ instanceId, state, missingSince }) => ({
      instanceId,
      state,
      addresses: addressesOf({ zone }, memberHost(instanceId, naming)),
      ...(missingSince !== undefined && { missingSince }),
    }));
}

const addressesOf = ({ zone }: Pick<EtcdSight, 'zone'>, host: string): readonly string[] =>
  zone.records
    .filter(({ name, type }) => name === host && (type === 'A' || type === 'AAAA'))
    .flatMap(({ values }) => values);
