import type { HoldState } from '../../../shared/capacity/holds/hold-state.ts';
import { requestText } from '../../../shared/capacity/pod-holds/request-text.ts';
import type { PreviewedOccurrence } from '../../../shared/capacity/schedules/preview.ts';
import { byEnd, holdView } from '../../../ui/server/views/capacity.ts';
import type { CapacityView, HoldView, ScheduleView } from '../../../ui/state/types.ts';
import { valueOf } from '../../observation/part.ts';
import type { GroupSummary } from '../../scale-api/client.ts';
import type { ApiListedHold } from '../../scale-api/holds.ts';
import { podsOf } from '../../scale-api/pods.ts';
import type { ApiReading, ApiSchedule } from './read.ts';

/** The API does not tell the base: without it the floor is at least the group's MinSize, which holds have raised already. */
export function capacityOf(group: GroupSummary, reading: ApiReading): CapacityView | undefined {
  const held = valueOf(reading.holds);
  if (held === undefined || group.role === 'etcd') return undefined;
  const { autoScalingGroupName: name, minSize, maxSize, nodes, countsUnits } = group;
  const own = held.filter((hold) => hold.autoScalingGroupName === name);
  const holds = own.flatMap(holdOf).toSorted(byEnd);
  // The API does not report weights, and holds do not count if sizes are units.
  const standing = countsUnits ? [] : holds.filter(({ state }) => state !== 'over').map((hold) => hold.nodes);
  return {
    floor: Math.min(maxSize, Math.max(minSize, ...standing)),
    ...(nodes.status === 'seen' && !countsUnits && { ready: nodes.ready }),
    holds,
    schedules: (valueOf(reading.schedules)?.schedules ?? []).flatMap((schedule) =>
      schedule.autoScalingGroupName === name ? [scheduleView(schedule)] : [],
    ),
    problems: own.flatMap((hold) =>
      hold.state === 'unreadable' ? [`hold ${hold.name} cannot be read: ${hold.reason}`] : [],
    ),
  };
}

function holdOf(listed: ApiListedHold): readonly HoldView[] {
  if (listed.state === 'unreadable') return [];
  const { createdAt, endedAt, until, by, pods, found, ...rest } = listed;
  const state: HoldState = { state: listed.state, reason: listed.reason };
  const hold = {
    ...rest,
    ...(pods && { pods: podsOf(pods) }),
    until: Date.parse(until),
    ...(createdAt !== undefined && { createdAt: Date.parse(createdAt) }),
    ...(endedAt !== undefined && { endedAt: Date.parse(endedAt) }),
    ...(by !== undefined && { by }),
  };
  return [holdView(hold, state, found)];
}

const scheduleView = (schedule: ApiSchedule): ScheduleView => ({
  name: schedule.name,
  nodes: schedule.nodes,
  ...(schedule.pods && { pods: requestText(podsOf(schedule.pods)) }),
  expression: schedule.expression,
  timeZone: schedule.timeZone,
  paused: schedule.paused,
  leadSeconds: schedule.leadSeconds,
  measured: schedule.lead === 'measured',
  occurrences: schedule.occurrences.map(occurrenceOf),
});

function occurrenceOf(one: ApiSchedule['occurrences'][number]): PreviewedOccurrence {
  if (one.kind !== 'hold') return one;
  const { kind, localTime, madeAt, readyAt, until } = one;
  return {
    kind,
    localTime,
    madeAt: Date.parse(madeAt),
    readyAt: Date.parse(readyAt),
    until: Date.parse(until),
  };
}
