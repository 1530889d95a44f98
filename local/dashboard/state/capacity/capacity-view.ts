import type { Activity } from '@aws-sdk/client-auto-scaling';
import { failedLaunchIn } from '../../../../shared/aws/failed-launch.ts';
import { launchesIn } from '../../../../shared/aws/launches.ts';
import { decideFloor } from '../../../../shared/capacity/holds/decide-floor.ts';
import { type Hold } from '../../../../shared/capacity/holds/hold.ts';
import { holdStateOf } from '../../../../shared/capacity/holds/hold-state.ts';
import type { GroupHolds } from '../../../../shared/capacity/holds/read-holds.ts';
import { membersOf, serves } from '../../../../shared/capacity/members.ts';
import type { ObservedNodes } from '../../../../shared/capacity/observed-nodes.ts';
import { measuredLeadSeconds } from '../../../../shared/capacity/schedules/measured-lead.ts';
import { leadSecondsOf } from '../../../../shared/capacity/schedules/plan.ts';
import { previewOf } from '../../../../shared/capacity/schedules/preview.ts';
import type { Schedule } from '../../../../shared/capacity/schedules/schedule.ts';
import type { AutoScalingGroup } from '../../../../shared/lifecycle/group.ts';
import type { CapacityView, HoldView, ScheduleView } from '../state.ts';

/** What is known of one group. */
export interface CapacityFacts extends GroupHolds {
  readonly group: AutoScalingGroup;
  readonly nodes: ObservedNodes;
  /** Those whose group this is. */
  readonly schedules: readonly Schedule[];
  /** The newest first. */
  readonly activities: readonly Activity[];
  readonly maxSizeLimit: number;
  readonly now: number;
}

/** How many occurrences of a schedule are shown. */
const shownOccurrences = 3;

/** Floors, holds and schedules of a group, by the decisions that Drover's own passes and commands make. Pure. */
export function capacityView(facts: CapacityFacts): CapacityView {
  const { group, nodes, holds, record, schedules, activities } = facts;
  const failedLaunch = failedLaunchIn(activities);
  const { floor, problems } = decideFloor(facts);
  return {
    base: record.kind === 'record' ? record.record.minSize.base : group.minSize,
    floor,
    ready: membersOf(group, nodes).filter(serves).length,
    holds: holds
      .flatMap((reading) =>
        reading.kind === 'hold' ? [holdView(reading.hold, { ...facts, failedLaunch })] : [],
      )
      .toSorted((one, other) => one.until - other.until || one.name.localeCompare(other.name)),
    schedules: schedules.map((schedule) => scheduleView(schedule, facts)),
    problems,
  };
}

const holdView = (
  hold: Hold,
  facts: CapacityFacts & { readonly failedLaunch: string | undefined },
): HoldView => ({
  name: hold.name,
  nodes: hold.nodes,
  ...(hold.createdAt !== undefined && { from: hold.createdAt }),
  until: hold.endedAt ?? hold.until,
  ...(hold.by !== undefined && { by: hold.by }),
  ...holdStateOf(hold, facts),
});

function scheduleView(schedule: Schedule, { activities, now }: CapacityFacts): ScheduleView {
  const { name, nodes, expression, timing, paused, lead } = schedule;
  const leadSeconds = leadSecondsOf(schedule, () => measuredLeadSeconds(launchesIn(activities)));
  return {
    name,
    nodes,
    expression,
    timeZone: timing.timeZone,
    paused,
    leadSeconds,
    measured: lead === 'measured',
    occurrences: previewOf(schedule, { now, leadSeconds, count: shownOccurrences }),
  };
}
