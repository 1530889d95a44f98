import type { EtcdDecision } from './decision.ts';
import { findZoneMark } from './mark.ts';
import { afterChanges } from './memory.ts';
import type { EtcdNaming } from './names.ts';
import { planRecords, type RecordConflict, type RecordPlan } from './plan-records.ts';
import { type Publication, recordsOf } from './records.ts';
import type { EtcdSight } from './sight.ts';
import type { EtcdWorld } from './world.ts';
import { ZoneError } from './zone.ts';

export type RecordsBrought =
  /** DNS shows what it is to show, at every name server. */
  | { readonly kind: 'in-sync' }
  | { readonly kind: 'changed'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly problems: readonly string[] };

/** Some 60 seconds are what Route 53 takes at most: for a Lambda that does not know which change it was. */
const syncSeconds = 60;

/** Brings the zone to what the decision wants, in one batch that fails as a whole where the zone is not as it was read. */
export async function bringRecords(
  world: Pick<EtcdWorld, 'zone' | 'memory' | 'terms'>,
  sight: EtcdSight,
  { publication }: Pick<EtcdDecision, 'publication'>,
): Promise<RecordsBrought> {
  const { terms, memory } = world;
  if (!publication) return waitOrGo(sight, changedAtIn(sight, terms.naming), memory.sawSync());
  const { plan, changedAt } = planPublication(sight, publication);
  if (plan.conflicts.length > 0) return { kind: 'conflict', problems: plan.conflicts.map(wordsOf) };
  if (plan.changes.length === 0) return waitOrGo(sight, changedAt, memory.sawSync());
  try {
    const changeId = await world.zone.change(plan.changes, `drover, cluster ${terms.clusterName}`);
    memory.changed({ changeId }, afterChanges(sight.zone, plan.changes));
    return {
      kind: 'changed',
      reason: `changed ${plan.changes.length} record sets of ${terms.naming.domain}`,
    };
  } catch (error) {
    memory.forgetZone();
    if (!(error instanceof ZoneError) || error.code !== 'conflict') throw error;
    return { kind: 'changed', reason: 'somebody changed the zone at the same time: it is read again' };
  }
}

/**
 * The plan that brings a zone to a publication. The mark's time moves only with something else, so that planning twice yields
 * nothing.
 */
export function planPublication(
  sight: Pick<EtcdSight, 'zone' | 'now'>,
  publication: Omit<Publication, 'changedAt'>,
): { readonly plan: RecordPlan; readonly changedAt: number } {
  const changedAt = changedAtIn(sight, publication.naming);
  const still = planRecords(sight.zone, recordsOf({ ...publication, changedAt }), publication);
  if (still.changes.length === 0) return { plan: still, changedAt };
  const now = Math.floor(sight.now / 1000);
  return {
    plan: planRecords(sight.zone, recordsOf({ ...publication, changedAt: now }), publication),
    changedAt: now,
  };
}

/** When we last changed the domain, in epoch seconds; 0 where nothing of ours stands. */
function changedAtIn({ zone }: Pick<EtcdSight, 'zone'>, naming: EtcdNaming): number {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' ? mark.changedAt : 0;
}

function waitOrGo({ now }: EtcdSight, changedAt: number, sawSync: boolean): RecordsBrought {
  const secondsLeft = changedAt + syncSeconds - now / 1000;
  if (sawSync || secondsLeft <= 0) return { kind: 'in-sync' };
  return { kind: 'changed', reason: `the zone changed less than ${syncSeconds} s ago` };
}

const wordsOf = ({ name, type, why }: RecordConflict): string =>
  `the record ${type} ${name} is in the way: ${why}; nothing is changed until it is gone`;
