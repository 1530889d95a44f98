import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import type { Silence } from '../../base/side-by-side.ts';
import { type IsTimeUp, PlanTimeError } from '../plan/time-limit.ts';
import { type PodsOfGroup, planPods } from './plan-pods.ts';
import type { PodsReading } from './pods-reading.ts';
import type { PodsRead } from './read-pods.ts';

/** What plans of several groups may take. Nothing else runs meanwhile, so what follows them has only the rest of the invocation. */
interface PlansInTime {
  readonly clock: Clock;
  readonly eachMilliseconds: number;
  /** When all of them end, in epoch milliseconds. */
  readonly endsAt: number;
  /** Groups that had no time in the last run come first, and those that took too long come last. */
  readonly silence: PlansSilence;
}

export type PlansSilence = Silence<{ readonly group: { readonly autoScalingGroupName: string } }>;

interface GroupsToPlan {
  readonly asked: readonly PodsOfGroup[];
  readonly maxSizeLimit: number;
  /** Without it, plans may take as long as they need. */
  readonly inTime?: PlansInTime;
}

/** Plans the groups one after the other, from one read. A group that cannot be planned, or not in time, has a failed reading, and stops no other. */
export function planGroups(
  read: PodsRead,
  { asked, maxSizeLimit, inTime }: GroupsToPlan,
): ReadonlyMap<string, PodsReading> {
  const ordered = inTime?.silence.silentLast(asked) ?? asked;
  return new Map(
    ordered.map((one, index) => {
      const limit = inTime && limitOf(inTime, { isFirst: index === 0 });
      const { reading, reached } = planGroup(one, read, { maxSizeLimit, limit });
      if (read.kind === 'read') inTime?.silence.note(one, reached);
      return [one.group.autoScalingGroupName, reading];
    }),
  );
}

interface PlannedGroup {
  readonly reading: PodsReading;
  readonly reached: Parameters<PlansSilence['note']>[1];
}

function planGroup(
  asked: PodsOfGroup,
  read: PodsRead,
  { maxSizeLimit, limit }: { readonly maxSizeLimit: number; readonly limit: Limit | undefined },
): PlannedGroup {
  const { readAt } = read;
  const failed = (why: string): PodsReading => ({ kind: 'failed', readAt, why });
  if (read.kind === 'failed') return { reading: failed(read.why), reached: 'answered' };
  try {
    return {
      reading: planPods(asked, { ...read, maxSizeLimit, isTimeUp: limit?.isTimeUp }),
      reached: 'answered',
    };
  } catch (error) {
    if (error instanceof PlanTimeError && limit !== undefined)
      return { reading: failed(limit.whyUp(asked)), reached: limit.reached };
    return { reading: failed(`the pods cannot be planned: ${messageOf(error)}`), reached: 'answered' };
  }
}

/** The limit of a plan that begins now. */
interface Limit {
  readonly isTimeUp: IsTimeUp;
  /** What becomes of a group whose time was up. */
  readonly reached: 'silent' | 'not-asked';
  readonly whyUp: (asked: PodsOfGroup) => string;
}

/** A plan has a time of its own, or what is left of the time of all. The first one of a run cannot have more: the next run begins with others. */
function limitOf(
  { clock, eachMilliseconds, endsAt }: PlansInTime,
  { isFirst }: { readonly isFirst: boolean },
): Limit {
  const milliseconds = Math.min(eachMilliseconds, endsAt - clock.now());
  const hasAll = milliseconds === eachMilliseconds || (isFirst && milliseconds > 0);
  const end = clock.now() + milliseconds;
  return {
    isTimeUp: () => clock.now() >= end,
    reached: hasAll ? 'silent' : 'not-asked',
    whyUp: hasAll ? (asked) => tooLong(asked, milliseconds) : noTimeLeft,
  };
}

const tooLong = ({ group }: PodsOfGroup, milliseconds: number): string =>
  `the plan for group ${group.autoScalingGroupName} takes longer than ${Math.ceil(milliseconds / 100) / 10} s: let its holds ask for fewer pods, or for nodes`;

const noTimeLeft = ({ group }: PodsOfGroup): string =>
  `reading the cluster and planning other groups left no time to plan group ${group.autoScalingGroupName}: the next run plans it earlier`;
