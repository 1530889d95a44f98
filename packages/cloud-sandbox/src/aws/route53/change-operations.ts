import type { ChangeInfo, ChangeResourceRecordSetsRequest, GetChangeRequest } from '@aws-sdk/client-route-53';
import { applyBatch } from './change-batch.ts';
import { constraint, route53Errors } from './errors.ts';
import { type ChangeRecord, findZone, type Route53World, type Zone } from './model.ts';
import { readChange } from './record-set.ts';

/** Record sets are changed in batches, and a change is asked after until every name server has it. */
export const changeOperations = (world: Route53World) => ({
  ChangeResourceRecordSets: ({ HostedZoneId, ChangeBatch }: ChangeResourceRecordSetsRequest) => {
    const zone = findZone(world, HostedZoneId);
    const { Changes = [], Comment: comment } = ChangeBatch ?? {};
    if (Changes.length === 0)
      throw constraint('[]', 'changeBatch.changes', 'have length greater than or equal to 1');
    if ((comment ?? '').length > 256)
      throw constraint(comment, 'changeBatch.comment', 'have length less than or equal to 256');
    const changes = Changes.map(readChange);
    const now = world.clock.now();
    if (now < zone.busyUntil) throw route53Errors.priorRequest();
    zone.sets = applyBatch(zone, changes);
    zone.busyUntil = now + world.timings.processingMilliseconds;
    return { ChangeInfo: presentChange(submit(world, zone, comment)) };
  },
  GetChange: ({ Id = '' }: GetChangeRequest) => {
    const id = Id.replace(/^\/?change\//, '');
    const change = world.changes.get(id);
    if (change === undefined) throw route53Errors.noSuchChange(id);
    return { ChangeInfo: presentChange(change) };
  },
});

/** PENDING until the name servers have taken over what the zone holds at this moment. */
export function submit(world: Route53World, zone: Zone, comment: string | undefined): ChangeRecord {
  const id = `C${world.random.hex(20).toUpperCase()}`;
  const change: ChangeRecord = { id, comment, status: 'PENDING', submittedAt: world.clock.now() };
  const { sets } = zone;
  world.changes.set(id, change);
  world.clock.after(world.timings.inSyncSeconds * 1000, () => {
    zone.served = sets;
    change.status = 'INSYNC';
  });
  return change;
}

export const presentChange = ({ id, status, submittedAt, comment }: ChangeRecord): ChangeInfo => ({
  Id: `/change/${id}`,
  Status: status,
  SubmittedAt: new Date(submittedAt),
  ...(comment !== undefined && { Comment: comment }),
});
