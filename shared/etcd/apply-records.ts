import type { EtcdContext } from './context.ts';
import type { EtcdDecision } from './decision.ts';
import { findZoneMark } from './mark.ts';
import { afterChanges, type EtcdMemory } from './memory.ts';
import type { EtcdNaming } from './names.ts';
import type { EtcdObservation } from './observation.ts';
import { planRecords, type RecordConflict, type RecordPlan } from './plan-records.ts';
import { type Publication, recordsOf } from './records.ts';
import { ZoneError } from './zone.ts';

export type AppliedRecords =
  /** Every name server answers with the wanted records. */
  | { readonly kind: 'in-sync' }
  | { readonly kind: 'changed'; readonly reason: string }
  /** Something else changed the zone first. */
  | { readonly kind: 'overtaken'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly problems: readonly string[] };

/** Route 53 needs at most about 60 s to propagate a change. A cold Lambda does not know the id of its last change, and waits this long. */
const syncSeconds = 60;

/** Changes the zone to what the decision wants, in one batch. The batch fails as a whole if the zone has changed since it was read. */
export async function applyRecords(
  context: Pick<EtcdContext, 'zone' | 'memory' | 'settings'>,
  observation: EtcdObservation,
  { publication }: Pick<EtcdDecision, 'publication'>,
): Promise<AppliedRecords> {
  const { settings, memory } = context;
  if (!publication) return waitForSync(observation, changedAtIn(observation, settings.naming), memory);
  const { plan, changedAt } = planPublication(observation, publication);
  if (plan.conflicts.length > 0) return { kind: 'conflict', problems: plan.conflicts.map(describeConflict) };
  if (plan.changes.length === 0) return waitForSync(observation, changedAt, memory);
  try {
    const changeId = await context.zone.change(plan.changes, `drover, cluster ${settings.clusterName}`);
    memory.recordChange({ changeId, changedAt }, afterChanges(observation.zone, plan.changes));
    return {
      kind: 'changed',
      reason: `changed ${plan.changes.length} record sets of ${settings.naming.domain}`,
    };
  } catch (error) {
    memory.forgetZone();
    if (!(error instanceof ZoneError) || error.code !== 'conflict') throw error;
    return {
      kind: 'overtaken',
      reason: `something else changed the records of Drover in ${settings.naming.domain} at the same time: the next pass reads them again`,
    };
  }
}

/**
 * Plans the changes from the zone to a publication. The mark's time changes only together with another record, so planning
 * again over the result yields no change. It always grows, so it identifies the change that wrote it.
 */
export function planPublication(
  observation: Pick<EtcdObservation, 'zone' | 'now'>,
  publication: Omit<Publication, 'changedAt'>,
): { readonly plan: RecordPlan; readonly changedAt: number } {
  const changedAt = changedAtIn(observation, publication.naming);
  const still = planRecords(observation.zone, recordsOf({ ...publication, changedAt }), publication);
  if (still.changes.length === 0) return { plan: still, changedAt };
  const now = Math.max(Math.floor(observation.now / 1000), changedAt + 1);
  return {
    plan: planRecords(observation.zone, recordsOf({ ...publication, changedAt: now }), publication),
    changedAt: now,
  };
}

/** When Drover last changed the domain, in epoch seconds; 0 if it has no mark there. */
function changedAtIn({ zone }: Pick<EtcdObservation, 'zone'>, naming: EtcdNaming): number {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' ? mark.changedAt : 0;
}

function waitForSync(
  { now }: EtcdObservation,
  changedAt: number,
  memory: Pick<EtcdMemory, 'isInSync'>,
): AppliedRecords {
  const secondsLeft = changedAt + syncSeconds - now / 1000;
  if (memory.isInSync(changedAt) || secondsLeft <= 0) return { kind: 'in-sync' };
  return { kind: 'changed', reason: `the zone changed less than ${syncSeconds} s ago` };
}

const describeConflict = ({ name, type, why }: RecordConflict): string =>
  `the record ${type} ${name} is in the way: ${why}; Drover changes nothing until it is gone`;
