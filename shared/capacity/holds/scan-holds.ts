import { messageOf } from '../../base/message-of.ts';
import { type AutoScalingGroup, isManaged } from '../../groups/group.ts';
import { givingBackMessage } from '../../passes/group-messages.ts';
import type { SendBatch } from '../../passes/queue.ts';
import { dueHolds, makeDueHolds, type ScheduleSource } from '../schedules/due-holds.ts';
import { activeHolds } from './bounds.ts';
import type { HoldContext } from './context.ts';
import { decideFloor, decideGone, type FloorAction, shallGiveBack } from './decide-floor.ts';
import type { GroupHolds } from './floor-record.ts';
import { unmetOf, unmetReason } from './hold-state.ts';
import { capacityMessage } from './message.ts';
import { holdsByGroup, holdsIn, recordsIn, strayParameters } from './parameters.ts';

interface LookContext extends HoldContext {
  readonly send: SendBatch;
  /** To the queue of leaving nodes. */
  readonly sendGivingBack: SendBatch;
  readonly schedules: ScheduleSource;
  /** Why a group lacks nodes, in words for an operator; empty where AWS gives no reason. */
  readonly readReasons: (group: AutoScalingGroup) => Promise<readonly string[]>;
}

/** What the look found in one group that has holds or a record. */
interface LookedAt {
  readonly autoScalingGroupName: string;
  readonly activeHolds: number;
  readonly action: FloorAction;
  /** Whether its empty nodes are to be given back. */
  readonly givesBack: boolean;
  /** What a person must solve. */
  readonly problems: readonly string[];
}

export interface LookReport {
  readonly groups: readonly LookedAt[];
  /** The holds that schedules had made. */
  readonly made: readonly string[];
  /** What a person must solve of schedules. */
  readonly scheduleProblems: readonly string[];
  /** The parameters below the path of holds that are none. */
  readonly strays: readonly string[];
  /** The groups that were sent to their passes. */
  readonly sent: readonly string[];
  readonly failures: readonly Error[];
}

/**
 * Makes the holds of schedules, looks at every hold and every record, and sends the groups with something to do to their passes. It
 * makes one call for ten parameters, one for a hundred groups and one for a hundred schedules, and one more for each group that lacks
 * nodes it has had time for, or whose lead is measured.
 */
export async function lookAtHolds(context: LookContext): Promise<LookReport> {
  const { parameters, paths, groups, clock, clusterName, maxSizeLimit, readReasons, schedules } = context;
  const [standing, recordTexts, listed, scheduled] = await Promise.all([
    parameters.listBelow(paths.holds),
    parameters.listBelow(paths.floors),
    groups.listGroups(),
    dueHolds(schedules, clock.now()),
  ]);
  const now = clock.now();
  const byName = new Map(
    listed
      .filter((group) => isManaged(group, clusterName))
      .map((group) => [group.autoScalingGroupName, group]),
  );
  const { texts, made, problems } = await makeDueHolds(context, {
    due: scheduled.holds,
    texts: standing,
    now,
  });
  const known = holdsByGroup(holdsIn(texts, paths), recordsIn(recordTexts, paths));
  const looked = await Promise.all(
    [...known].map(async ([autoScalingGroupName, facts]): Promise<LookedAt> => {
      const group = byName.get(autoScalingGroupName);
      const { action, problems } = group
        ? decideFloor({ group, ...facts, maxSizeLimit, now })
        : decideGone({ ...facts, now, untagged: await untaggedGroup(context, autoScalingGroupName, facts) });
      const unmet = group && unmetOf(group, facts, now);
      return {
        autoScalingGroupName,
        activeHolds: activeHolds(facts.holds, now).length,
        action,
        givesBack: group !== undefined && shallGiveBack(group, { ...facts, now }),
        problems:
          unmet && group
            ? [...problems, unmetReason(unmet, await readReasons(group).catch(whyUnknown))]
            : problems,
      };
    }),
  );
  const due = looked.filter(({ action }) => !['none', 'wait'].includes(action.kind));
  const failures = await sendAll(context, looked, due, new Date(now).toISOString());
  return {
    groups: looked,
    made,
    scheduleProblems: [...scheduled.problems, ...problems],
    strays: strayParameters(texts, paths),
    sent: due.map(({ autoScalingGroupName }) => autoScalingGroupName),
    failures: failures.map(({ error }) => error),
  };
}

/**
 * The list has only groups with tags. An error counts as no group: the pass that this leads to reads the group again, and fails before it
 * deletes its record.
 */
async function untaggedGroup(
  { groups }: LookContext,
  autoScalingGroupName: string,
  { holds, record }: GroupHolds,
): Promise<AutoScalingGroup | undefined> {
  if (holds.length > 0 || record.kind !== 'record') return undefined;
  return await groups.describeGroup(autoScalingGroupName).catch(() => undefined);
}

async function sendAll(
  { send, sendGivingBack }: LookContext,
  looked: readonly LookedAt[],
  due: readonly LookedAt[],
  noticedAt: string,
): ReturnType<SendBatch> {
  const [passes, givingBack] = await Promise.all([
    send(
      due.map(({ autoScalingGroupName }) =>
        capacityMessage({ cause: 'looked', autoScalingGroupName, noticedAt }),
      ),
    ),
    sendGivingBack(
      looked
        .filter(({ givesBack }) => givesBack)
        .map(({ autoScalingGroupName }) =>
          givingBackMessage({ cause: 'give-back', autoScalingGroupName, noticedAt }),
        ),
    ),
  ]);
  return [...passes, ...givingBack];
}

/** A look that fails would hold up the other groups. */
const whyUnknown = (error: unknown): readonly string[] => [`why is unknown: ${messageOf(error)}`];
