import type { EtcdSettings } from './decision.ts';
import { findZoneMark } from './mark.ts';
import type { EtcdObservation } from './observation.ts';

/** A first boot and a replacement take some minutes. What takes longer than this needs a person. */
export const patienceSeconds = 900;

/** Whether Drover has changed nothing in the domain for so long that what is under way makes no progress. */
export function hasStalled(
  { zone, now }: Pick<EtcdObservation, 'zone' | 'now'>,
  { naming }: Pick<EtcdSettings, 'naming'>,
): boolean {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' && now / 1000 - mark.changedAt > patienceSeconds;
}
