import { decideFloor } from '../../../shared/capacity/holds/decide-floor.ts';
import type { GroupHolds } from '../../../shared/capacity/holds/floor-record.ts';
import type { Hold } from '../../../shared/capacity/holds/hold.ts';
import { type HoldState, holdStateOf } from '../../../shared/capacity/holds/hold-state.ts';
import { podsIn } from '../../../shared/capacity/holds/pod-floor.ts';
import { type PodsFound, podsFoundOf } from '../../../shared/capacity/holds/pods-found.ts';
import { membersOf, serves } from '../../../shared/capacity/members.ts';
import type { ObservedNodes } from '../../../shared/capacity/observed-nodes.ts';
import type { PodsRecord } from '../../../shared/capacity/pod-holds/pods-reading.ts';
import { requestText } from '../../../shared/capacity/pod-holds/request-text.ts';
import { leadSecondsOf } from '../../../shared/capacity/schedules/plan.ts';
import { previewOf } from '../../../shared/capacity/schedules/preview.ts';
import type { Schedule } from '../../../shared/capacity/schedules/schedule.ts';
import { type AutoScalingGroup, unitsOf } from '../../../shared/groups/group.ts';
import type { CapacityView, HoldView, ScheduleView } from '../../state/types.ts';

/** What is known of one group. */
export interface CapacityFacts extends GroupHolds {
  readonly group: AutoScalingGroup;
  readonly nodes: ObservedNodes;
  /** Those whose group this is. */
  readonly schedules: readonly Schedule[];
  /** Why the newest launch failed. */
  readonly failedLaunch: string | undefined;
  /** How long launches of the group take. */
  readonly measuredLeadSeconds: number;
  readonly maxSizeLimit: number;
  readonly now: number;
}

/** How many occurrences of a schedule are shown. */
export const shownOccurrences = 3;

/** Floors, holds and schedules of a group, by the decisions that Drover's own passes and commands make. Pure. */
export function capacityView(facts: CapacityFacts): CapacityView {
  const { group, nodes, holds, record, schedules } = facts;
  const { floor, problems } = decideFloor(facts);
  return {
    base: record.kind === 'record' ? record.record.minSize.base : group.minSize,
    floor,
    ...(nodes.status === 'seen' && { ready: unitsOf(membersOf(group, nodes).filter(serves)) }),
    holds: holds
      .flatMap((reading) =>
        reading.kind === 'hold' ? [viewOf(reading.hold, { ...facts, pods: podsIn(record) })] : [],
      )
      .toSorted(byEnd),
    schedules: schedules.map((schedule) => scheduleView(schedule, facts)),
    problems,
  };
}

function viewOf(hold: Hold, facts: CapacityFacts & { readonly pods: PodsRecord | undefined }): HoldView {
  const nodes = hold.pods ? (facts.pods?.nodes ?? 0) : hold.nodes;
  return holdView({ ...hold, nodes }, holdStateOf(hold, facts), podsFoundOf(hold, facts.pods));
}

/** Sorts holds by their end. */
export const byEnd = (one: HoldView, other: HoldView): number =>
  one.until - other.until || one.name.localeCompare(other.name);

/** A hold with how far it is. */
export const holdView = (
  hold: Hold,
  state: HoldState,
  found?: Pick<PodsFound, 'open' | 'placed'>,
): HoldView => ({
  name: hold.name,
  nodes: hold.nodes,
  ...(hold.pods && {
    pods: { asks: requestText(hold.pods), ...(found && { open: found.open, placed: found.placed }) },
  }),
  ...(hold.createdAt !== undefined && { from: hold.createdAt }),
  until: hold.endedAt ?? hold.until,
  ...(hold.by !== undefined && { by: hold.by }),
  ...state,
});

function scheduleView(schedule: Schedule, { measuredLeadSeconds, now }: CapacityFacts): ScheduleView {
  const { name, nodes, pods, expression, timing, paused, lead } = schedule;
  const leadSeconds = leadSecondsOf(schedule, () => measuredLeadSeconds);
  return {
    name,
    nodes,
    ...(pods && { pods: requestText(pods) }),
    expression,
    timeZone: timing.timeZone,
    paused,
    leadSeconds,
    measured: lead === 'measured',
    occurrences: previewOf(schedule, { now, leadSeconds, count: shownOccurrences }),
  };
}
