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

interface ScanContext extends HoldContext {
  readonly send: SendBatch;
  /** Sends to the queue of node-leaving. */
  readonly sendGivingBack: SendBatch;
  readonly schedules: ScheduleSource;
  /** The reasons why a group lacks nodes, for the operator; empty if AWS gives none. */
  readonly readReasons: (group: AutoScalingGroup) => Promise<readonly string[]>;
}

/** The result for one group that has holds or a record. */
interface ScannedGroup {
  readonly autoScalingGroupName: string;
  readonly activeHolds: number;
  readonly action: FloorAction;
  /** Whether its empty nodes are given back. */
  readonly givesBack: boolean;
  /** Problems for the operator. */
  readonly problems: readonly string[];
}

export interface ScanReport {
  readonly groups: readonly ScannedGroup[];
  /** The holds that this scan created for schedules. */
  readonly made: readonly string[];
  /** Problems of schedules, for the operator. */
  readonly scheduleProblems: readonly string[];
  /** The parameters below the path of holds that are not holds. */
  readonly strays: readonly string[];
  /** The groups that were sent to their passes. */
  readonly sent: readonly string[];
  readonly failures: readonly Error[];
}

/**
 * Creates the holds of schedules, reads every hold and every record, and starts passes for the groups with something to do. It makes one
 * call for each ten parameters, each hundred groups and each hundred schedules, and one more for each group that lacks nodes although it has
 * had time to launch them, or whose lead is measured.
 */
export async function scanHolds(context: ScanContext): Promise<ScanReport> {
  const { parameters, paths, groups, clock, clusterName, maxSizeLimit, readReasons, schedules } = context;
  const [holdTexts, recordTexts, listed, scheduled] = await Promise.all([
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
    texts: holdTexts,
    now,
  });
  const known = holdsByGroup(holdsIn(texts, paths), recordsIn(recordTexts, paths));
  const scanned = await Promise.all(
    [...known].map(async ([autoScalingGroupName, facts]): Promise<ScannedGroup> => {
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
  const due = scanned.filter(({ action }) => !['none', 'wait'].includes(action.kind));
  const failures = await sendAll(context, scanned, due, new Date(now).toISOString());
  return {
    groups: scanned,
    made,
    scheduleProblems: [...scheduled.problems, ...problems],
    strays: strayParameters(texts, paths),
    sent: due.map(({ autoScalingGroupName }) => autoScalingGroupName),
    failures: failures.map(({ error }) => error),
  };
}

/**
 * The list contains only groups with tags. An error is treated as no group: the pass that follows reads the group again, and fails before it
 * deletes the record.
 */
async function untaggedGroup(
  { groups }: ScanContext,
  autoScalingGroupName: string,
  { holds, record }: GroupHolds,
): Promise<AutoScalingGroup | undefined> {
  if (holds.length > 0 || record.kind !== 'record') return undefined;
  return await groups.describeGroup(autoScalingGroupName).catch(() => undefined);
}

async function sendAll(
  { send, sendGivingBack }: ScanContext,
  scanned: readonly ScannedGroup[],
  due: readonly ScannedGroup[],
  noticedAt: string,
): ReturnType<SendBatch> {
  const [passes, givingBack] = await Promise.all([
    send(
      due.map(({ autoScalingGroupName }) =>
        capacityMessage({ cause: 'looked', autoScalingGroupName, noticedAt }),
      ),
    ),
    sendGivingBack(
      scanned
        .filter(({ givesBack }) => givesBack)
        .map(({ autoScalingGroupName }) =>
          givingBackMessage({ cause: 'give-back', autoScalingGroupName, noticedAt }),
        ),
    ),
  ]);
  return [...passes, ...givingBack];
}

/** If the scan failed here, the other groups would wait. */
const whyUnknown = (error: unknown): readonly string[] => [`the reason is unknown: ${messageOf(error)}`];
