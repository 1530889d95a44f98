import { isoSeconds } from '../base/iso-seconds.ts';
import { shellWord } from '../base/shell-words.ts';
import { activeHolds } from '../capacity/holds/bounds.ts';
import type { Hold } from '../capacity/holds/hold.ts';
import { defaultLeadSeconds } from '../capacity/schedules/measured-lead.ts';
import { planSchedules } from '../capacity/schedules/plan.ts';
import { type AutoScalingGroup, isSuspended, roleOf, whyUnits } from '../groups/group.ts';
import type { ScheduledAction } from '../groups/scheduled-action.ts';
import type { HeldCapacity } from './capacity-problems.ts';
import type { FoundProblem } from './problem.ts';

/** What a scheduled action of Auto Scaling does to a managed group, and to the holds that are in force at its time. */
export interface JudgedAction {
  readonly action: ScheduledAction;
  /**
   * - `none`: no hold is in force then, or it asks for no more than the action;
   * - `raised-again`: Drover raises MinSize again, and no node is terminated for it;
   * - `unclear`: its sizes do not fit the MinSize of a hold, or its time or the holds are not known;
   * - `conflict`: held nodes are terminated, or the group is not what the action asks for after the hold;
   * - `suspended`: it does not run.
   */
  readonly verdict: 'none' | 'raised-again' | 'unclear' | 'conflict' | 'suspended';
  /** Empty for `none`. */
  readonly reason: string;
}

interface Known {
  readonly managed: readonly AutoScalingGroup[];
  /** Undefined if the holds and schedules could not be read. */
  readonly held: HeldCapacity | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The scheduled actions that touch managed groups, the next one first, each with its effect on Drover's holds. Pure. */
export function judgeActions(actions: readonly ScheduledAction[], known: Known): readonly JudgedAction[] {
  const groups = new Map(known.managed.map((group) => [group.autoScalingGroupName, group]));
  return actions
    .flatMap((action) => {
      const group = groups.get(action.autoScalingGroupName);
      return group ? [{ action, ...judge(action, group, known) }] : [];
    })
    .toSorted(
      (one, other) =>
        (one.action.nextAt ?? Infinity) - (other.action.nextAt ?? Infinity) ||
        one.action.autoScalingGroupName.localeCompare(other.action.autoScalingGroupName) ||
        one.action.name.localeCompare(other.action.name),
    );
}

type Judgement = Pick<JudgedAction, 'verdict' | 'reason'>;

const none: Judgement = { verdict: 'none', reason: '' };

function judge(action: ScheduledAction, group: AutoScalingGroup, { held, at }: Known): Judgement {
  if (isSuspended(group, 'ScheduledActions'))
    return {
      verdict: 'suspended',
      reason: 'the process ScheduledActions of the group is suspended, so it does not run',
    };
  if (roleOf(group) === 'etcd')
    return {
      verdict: 'conflict',
      reason: 'the size of an etcd group is the membership of etcd, and the action changes it',
    };
  const { nextAt } = action;
  if (whyUnits(group) !== undefined) return none;
  if (held === undefined)
    return {
      verdict: 'unclear',
      reason: 'the holds and schedules could not be read, so it may work against one',
    };
  if (nextAt === undefined) return { verdict: 'unclear', reason: 'AWS does not report when it runs next' };
  const [strongest] = holdsAt(held, { group, nextAt, at });
  return strongest === undefined ? none : judgeBeside(strongest, action, { group, held });
}

/** What asks for nodes at a time. */
interface HeldThen {
  readonly what: string;
  readonly nodes: number;
  readonly raiseMaxSize: boolean;
  readonly until: number;
}

/**
 * The holds that are in force when the action runs, also those that schedules make until then, the largest first. A schedule makes its hold ahead
 * of time; the status does not measure how long a group needs, so that it is the default if no lead is set.
 */
function holdsAt(
  { holds, schedules }: HeldCapacity,
  {
    group: { autoScalingGroupName },
    nextAt,
    at,
  }: { readonly group: AutoScalingGroup; readonly nextAt: number; readonly at: number },
): readonly HeldThen[] {
  const existing = holds.get(autoScalingGroupName)?.holds ?? [];
  const active = activeHolds(existing, at).filter(({ until }) => until > nextAt);
  const ofGroup = schedules.filter(
    (reading) =>
      reading.kind === 'schedule' && reading.schedule.autoScalingGroupName === autoScalingGroupName,
  );
  // A hold that exists is judged as it is: a schedule does not make one again that was ended.
  const made = new Set(existing.map((reading) => (reading.kind === 'hold' ? reading.hold : reading).name));
  const scheduled = planSchedules(ofGroup, { now: nextAt, measured: () => defaultLeadSeconds })
    .holds.filter(({ name }) => !made.has(name))
    .map((hold): HeldThen => ({ ...hold, what: hold.by }));
  return [...active.map(ofHold), ...scheduled].toSorted((one, other) => other.nodes - one.nodes);
}

const ofHold = (hold: Hold): HeldThen => ({ ...hold, what: `hold ${hold.name}` });

function judgeBeside(
  { what, nodes, raiseMaxSize, until }: HeldThen,
  { minSize, maxSize, desiredCapacity }: ScheduledAction,
  { group, held: { maxSizeLimit, holds } }: { readonly group: AutoScalingGroup; readonly held: HeldCapacity },
): Judgement {
  const keeps = `${what} keeps ${nodes} nodes until ${isoSeconds(until)}`;
  const lowest = Math.min(maxSize ?? nodes, desiredCapacity ?? nodes);
  if (minSize === undefined)
    return lowest < nodes
      ? {
          verdict: 'unclear',
          reason: `${keeps}, and the action sets a size below that MinSize: AWS does not document what it does then`,
        }
      : none;
  if (maxSize !== undefined && maxSize < nodes) {
    const isRaised = raiseMaxSize && maxSizeLimit > maxSize;
    return {
      verdict: 'conflict',
      reason: `${keeps}, and the action sets MaxSize to ${maxSize}: Auto Scaling terminates nodes above that${isRaised ? ', and Drover launches others once it has raised MaxSize again' : ', and the hold gets no others'}`,
    };
  }
  if (desiredCapacity !== undefined && desiredCapacity < nodes)
    return {
      verdict: 'conflict',
      reason: `${keeps}, and the action sets MinSize to ${minSize} and the desired capacity to ${desiredCapacity}: Auto Scaling terminates nodes, and Drover launches others once it has raised MinSize again`,
    };
  if (minSize < nodes)
    return {
      verdict: 'raised-again',
      reason: `${keeps}: Drover raises MinSize again, and sets it to ${minSize} after the hold`,
    };
  const reading = holds.get(group.autoScalingGroupName)?.record;
  const base = reading?.kind === 'record' ? reading.record.minSize.base : group.minSize;
  return minSize === nodes && base !== minSize
    ? {
        verdict: 'conflict',
        reason: `${keeps}, and the action sets MinSize to the same number: Drover cannot see that, and MinSize is ${base} again after the hold`,
      }
    : none;
}

/** The scheduled actions that an operator must change, because they work against holds. Pure. */
export const scheduledActionProblems = (judged: readonly JudgedAction[]): readonly FoundProblem[] =>
  judged
    .filter(({ verdict }) => verdict === 'conflict')
    .map(({ action: { autoScalingGroupName, name }, reason }) => ({
      kind: 'scheduled-action',
      subject: autoScalingGroupName,
      message: `scheduled action ${name} of Auto Scaling works against Drover: ${reason}`,
      command: `aws autoscaling describe-scheduled-actions --auto-scaling-group-name ${shellWord(autoScalingGroupName)}`,
    }));

/** A scheduled action as an operator reads it: the same in `drover status --json` and in the scale API. Null is what the action does not set. */
export interface ScheduledActionLine {
  readonly name: string;
  readonly autoScalingGroupName: string;
  /** ISO 8601 in UTC. */
  readonly nextAt: string | null;
  readonly recurrence: string | null;
  readonly timeZone: string | null;
  readonly minSize: number | null;
  readonly maxSize: number | null;
  readonly desiredCapacity: number | null;
  readonly verdict: JudgedAction['verdict'];
  readonly reason: string;
}

export const scheduledActionLine = ({ action, verdict, reason }: JudgedAction): ScheduledActionLine => ({
  name: action.name,
  autoScalingGroupName: action.autoScalingGroupName,
  nextAt: action.nextAt === undefined ? null : new Date(action.nextAt).toISOString(),
  recurrence: action.recurrence ?? null,
  timeZone: action.timeZone ?? null,
  minSize: action.minSize ?? null,
  maxSize: action.maxSize ?? null,
  desiredCapacity: action.desiredCapacity ?? null,
  verdict,
  reason,
});
