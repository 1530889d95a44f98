import type { AutoScalingGroup } from '../../groups/group.ts';
import type { Notification } from '../../notifications/notification.ts';
import type { HoldContext } from './context.ts';
import type { FloorReading, FloorRecord } from './floor-record.ts';
import type { GroupHolds } from './read-holds.ts';
import { type Unmet, unmetOf, unmetReason } from './unmet.ts';

interface ShortGroup extends GroupHolds {
  readonly group: AutoScalingGroup;
  readonly now: number;
}

/**
 * The record to write, after people were told that the holds have begun to lack nodes. Where EventBridge did not take the notification, the
 * record does not say so, and the next pass tells it.
 */
export async function tellUnmet(
  { notify }: Pick<HoldContext, 'notify'>,
  record: FloorRecord,
  short: ShortGroup,
): Promise<FloorRecord> {
  const unmet = unmetOf(short.group, short, short.now);
  if (unmet === undefined || !record.unmet || wasTold(short.record)) return record;
  const result = await notify(unmetNotification(short, unmet));
  if (result !== 'failed') return record;
  const { unmet: _, ...untold } = record;
  return untold;
}

const wasTold = (reading: FloorReading): boolean =>
  reading.kind === 'record' && reading.record.unmet === true;

const hour = 3_600_000;

/** The hour is in the name of the occurrence, because a node may be lost again while the same holds stand. */
const unmetNotification = (
  { group: { autoScalingGroupName }, holds, now }: ShortGroup,
  unmet: Unmet,
): Notification => ({
  kind: 'hold-unmet',
  occurrence: `${autoScalingGroupName}/${new Date(Math.floor(now / hour) * hour).toISOString()}`,
  message: `group ${autoScalingGroupName} lacks capacity: ${unmetReason(unmet, [])}`,
  facts: {
    autoScalingGroupName,
    reasons: holds.flatMap((reading) =>
      reading.kind === 'hold' ? [`hold ${reading.hold.name} asks for ${reading.hold.nodes}`] : [],
    ),
  },
});
