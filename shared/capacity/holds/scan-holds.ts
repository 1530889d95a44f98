import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { createSilence, type Silence, sideBySide } from '../../base/side-by-side.ts';
import { type AutoScalingGroup, isManaged } from '../../groups/group.ts';
import { givingBackMessage } from '../../passes/group-messages.ts';
import type { SendBatch } from '../../passes/queue.ts';
import type { PlansSilence } from '../pod-holds/plan-groups.ts';
import type { PodsReading } from '../pod-holds/pods-reading.ts';
import type { PodsReader } from '../pod-holds/read-pods.ts';
import {
  createScheduleSilence,
  dueHolds,
  makeDueHolds,
  type ScheduleSilence,
  type ScheduleSource,
} from '../schedules/due-holds.ts';
import { activeHolds } from './bounds.ts';
import type { HoldContext } from './context.ts';
import { decideFloor, decideGone, type FloorAction, shallGiveBack } from './decide-floor.ts';
import type { GroupHolds } from './floor-record.ts';
import { type HeldGroup, heldGroupOf } from './held-group.ts';
import { capacityMessage } from './message.ts';
import { holdsByGroup, holdsIn, recordsIn, strayParameters } from './parameters.ts';
import { activePodHolds, knowPods } from './pod-floor.ts';
import { podProblems } from './pod-problems.ts';
import { groupsWithPods, scanPods } from './scan-pods.ts';
import { type Unmet, unmetOf, unmetReason } from './unmet.ts';

interface ScanContext extends HoldContext {
  readonly clock: TimerClock;
  readonly send: SendBatch;
  /** Sends to the queue of node-leaving. */
  readonly sendGivingBack: SendBatch;
  readonly schedules: ScheduleSource;
  /** What the pods of holds are read with; undefined if the deployment may not read them. */
  readonly pods?: PodsReader | undefined;
  /** The reasons why a group lacks nodes, for the operator; empty if AWS gives none. */
  readonly readReasons: (group: AutoScalingGroup) => Promise<readonly string[]>;
  readonly silence?: ScanSilence;
}

/** The items whose calls were not answered in the last scan: their calls are made last. An environment keeps it between its scans. */
export interface ScanSilence extends ScheduleSilence {
  readonly untagged: Silence<string>;
  readonly reasons: Silence<{ readonly autoScalingGroupName: string }>;
  readonly plans: PlansSilence;
}

export const createScanSilence = (): ScanSilence => ({
  ...createScheduleSilence(),
  untagged: createSilence((name) => name),
  reasons: createSilence(({ autoScalingGroupName }) => autoScalingGroupName),
  plans: createSilence(({ group }) => group.autoScalingGroupName),
});

/** The result for one group that has holds or a record. */
interface ScannedGroup {
  readonly autoScalingGroupName: string;
  readonly activeHolds: number;
  /** Undefined without an active hold. */
  readonly held: HeldGroup | undefined;
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
  /** Problems of schedules, and of reading the pods of holds, for the operator. */
  readonly scheduleProblems: readonly string[];
  /** The parameters below the path of holds that are not holds. */
  readonly strays: readonly string[];
  /** The groups that were sent to their passes. */
  readonly sent: readonly string[];
  /** The groups that could not be sent, each with its error. The next scan tries again. */
  readonly failures: readonly ScanFailure[];
}

interface ScanFailure {
  readonly autoScalingGroupName: string;
  readonly error: Error;
}

/** The calls for single groups. They must end within the invocation: AWS may take 15 s for a call that it does not answer. */
const callsAtOnce = 10;
const untaggedMilliseconds = 2000;
const reasonsMilliseconds = 4000;

/** When they end, after the scan began: what an earlier part did not use is left for the next. The invocation ends after 20 s. */
const untaggedEndMilliseconds = 15_000;
const reasonsEndMilliseconds = 18_000;

/**
 * Creates the holds of schedules, reads every hold and every record, and starts passes for the groups with something to do. It makes one
 * call for each ten parameters, each hundred groups and each hundred schedules, and one more for each group that lacks nodes although it has
 * had time to launch them, or whose lead is measured. It does not list the groups if there are neither holds nor records.
 *
 * A call for one hold, schedule or group that fails or hangs stops no other. The reasons are read last, because no pass waits for them.
 *
 * @throws if the holds, the records or the groups cannot be listed.
 */
export async function scanHolds(context: ScanContext): Promise<ScanReport> {
  const { parameters, paths, clock, schedules, silence = createScanSilence() } = context;
  const startedAt = clock.now();
  const [holdTexts, recordTexts, scheduled] = await Promise.all([
    parameters.listBelow(paths.holds),
    parameters.listBelow(paths.floors),
    dueHolds(schedules, clock, silence),
  ]);
  const { texts, made, problems } = await makeDueHolds(context, {
    due: scheduled.holds,
    texts: holdTexts,
    startedAt,
    silence,
  });
  const known = holdsByGroup(holdsIn(texts, paths), recordsIn(recordTexts, paths));
  const running: RunningScan = { ...context, silence, startedAt };
  const groups = known.size === 0 ? [] : await context.groups.listGroups();
  const managed = managedIn(groups, context.clusterName);
  const asked = groupsWithPods(managed, known, clock.now());
  const isAsked = new Set(asked.map(({ group }) => group.autoScalingGroupName));
  const pods = scanPods(asked, {
    ...context,
    groups,
    reader: context.pods,
    startedAt,
    silence: silence.plans,
  });
  const others = new Map([...known].filter(([name]) => !isAsked.has(name)));
  // Groups without holds for pods do not wait for the pods, and plans begin only after their messages were sent.
  const first = await judgeAndSend(running, { known: others, managed });
  const planPods = await pods;
  const { readings, warnings } = planPods();
  const held = new Map([...known].filter(([name]) => isAsked.has(name)));
  const second = held.size === 0 ? nothing : await judgeAndSend(running, { known: held, managed, readings });
  const judged = [...first.judged, ...second.judged];
  return {
    groups: await withReasons(running, judged),
    made,
    scheduleProblems: [...scheduled.problems, ...problems, ...warnings.map(podWarning)],
    strays: strayParameters(texts, paths),
    sent: [...first.sent, ...second.sent],
    failures: [...first.failures, ...second.failures],
  };
}

const podWarning = (warning: string): string => `the pods of holds are planned without something: ${warning}`;

const managedIn = (
  groups: readonly AutoScalingGroup[],
  clusterName: string,
): ReadonlyMap<string, AutoScalingGroup> =>
  new Map(
    groups
      .filter((group) => isManaged(group, clusterName))
      .map((group) => [group.autoScalingGroupName, group]),
  );

/** Some of the groups, with what was read of the pods of their holds. */
interface GroupsToJudge {
  readonly known: ReadonlyMap<string, GroupHolds>;
  readonly managed: ReadonlyMap<string, AutoScalingGroup>;
  readonly readings?: ReadonlyMap<string, PodsReading>;
}

interface Judged extends Pick<ScanReport, 'sent' | 'failures'> {
  readonly judged: readonly JudgedGroup[];
}

const nothing: Judged = { judged: [], sent: [], failures: [] };

async function judgeAndSend(context: RunningScan, toJudge: GroupsToJudge): Promise<Judged> {
  const now = context.clock.now();
  const judged = await judgeGroups(context, toJudge, now);
  const noticedAt = new Date(now).toISOString();
  return { judged, ...(await sendAll(context, { judged, readings: toJudge.readings, noticedAt })) };
}

/** The context of one scan. */
interface RunningScan extends ScanContext {
  readonly silence: ScanSilence;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** A group before AWS is asked why it lacks nodes. */
interface JudgedGroup extends ScannedGroup {
  readonly short: { readonly group: AutoScalingGroup; readonly unmet: Unmet } | undefined;
}

async function judgeGroups(
  context: RunningScan,
  { known, managed, readings }: GroupsToJudge,
  now: number,
): Promise<readonly JudgedGroup[]> {
  const { maxSizeLimit } = context;
  const untagged = await untaggedGroups(
    context,
    [...known].flatMap(([name, { holds, record }]) =>
      !managed.has(name) && holds.length === 0 && record.kind === 'record' ? [name] : [],
    ),
  );
  return [...known].map(([autoScalingGroupName, read]): JudgedGroup => {
    const facts = knowPods(read, { reading: readings?.get(autoScalingGroupName), now });
    const group = managed.get(autoScalingGroupName);
    const { action, problems } = group
      ? decideFloor({ group, ...facts, maxSizeLimit, now })
      : decideGone({ ...facts, now, untagged: untagged.get(autoScalingGroupName) });
    const unmet = group && unmetOf(group, facts, now);
    return {
      autoScalingGroupName,
      activeHolds: activeHolds(facts.holds, now).length,
      held: group && heldGroupOf(group, facts, now),
      action,
      givesBack: group !== undefined && shallGiveBack(group, { ...facts, now }),
      problems: [...problems, ...(readings ? podProblems(activePodHolds(facts.holds, now), facts.pods) : [])],
      short: unmet && group ? { group, unmet } : undefined,
    };
  });
}

/**
 * The groups of these names that exist without tags: the list contains only groups with tags. An error is treated as no group: the pass that
 * follows reads the group again, and fails before it deletes the record.
 */
async function untaggedGroups(
  { groups, clock, startedAt, silence }: RunningScan,
  names: readonly string[],
): Promise<ReadonlyMap<string, AutoScalingGroup>> {
  const results = await sideBySide(names, (name) => groups.describeGroup(name), {
    clock,
    atOnce: callsAtOnce,
    eachMilliseconds: untaggedMilliseconds,
    togetherMilliseconds: Math.max(untaggedMilliseconds, startedAt + untaggedEndMilliseconds - clock.now()),
    silence: silence.untagged,
  });
  return new Map(
    results.flatMap((result) =>
      result.status === 'fulfilled' && result.value ? [[result.item, result.value] as const] : [],
    ),
  );
}

/** Adds the reasons for missing nodes to the problems. A group whose reason cannot be read is reported without it. */
async function withReasons(
  { readReasons, clock, startedAt, silence }: RunningScan,
  judged: readonly JudgedGroup[],
): Promise<readonly ScannedGroup[]> {
  const asked = judged.flatMap(({ autoScalingGroupName, short }) =>
    short ? [{ autoScalingGroupName, ...short }] : [],
  );
  const results = await sideBySide(asked, ({ group }) => readReasons(group), {
    clock,
    atOnce: callsAtOnce,
    eachMilliseconds: reasonsMilliseconds,
    togetherMilliseconds: startedAt + reasonsEndMilliseconds - clock.now(),
    silence: silence.reasons,
  });
  const missing = new Map(
    results.map((result) => [
      result.item.autoScalingGroupName,
      unmetReason(
        result.item.unmet,
        result.status === 'fulfilled' ? result.value : [`the reason is unknown: ${messageOf(result.reason)}`],
      ),
    ]),
  );
  return judged.map((group) => {
    const reason = missing.get(group.autoScalingGroupName);
    return reason === undefined ? group : { ...group, problems: [...group.problems, reason] };
  });
}

async function sendAll(
  { send, sendGivingBack }: ScanContext,
  {
    judged,
    readings,
    noticedAt,
  }: Pick<Judged, 'judged'> & Pick<GroupsToJudge, 'readings'> & { readonly noticedAt: string },
): Promise<Pick<ScanReport, 'sent' | 'failures'>> {
  const due = judged
    .filter(({ action }) => !['none', 'wait'].includes(action.kind))
    .map(({ autoScalingGroupName }) => autoScalingGroupName);
  const givingBack = judged
    .filter(({ givesBack }) => givesBack)
    .map(({ autoScalingGroupName }) => autoScalingGroupName);
  const [unsent, notGivenBack] = await Promise.all([
    send(
      due.map((autoScalingGroupName) =>
        capacityMessage(
          { cause: 'looked', autoScalingGroupName, noticedAt },
          readings?.get(autoScalingGroupName),
        ),
      ),
    ),
    sendGivingBack(
      givingBack.map((autoScalingGroupName) =>
        givingBackMessage({ cause: 'give-back', autoScalingGroupName, noticedAt }),
      ),
    ),
  ]);
  const failed = new Set(unsent.map(({ index }) => index));
  const failuresOf = (names: readonly string[], failures: Awaited<ReturnType<SendBatch>>) =>
    failures.map(({ index, error }) => ({ autoScalingGroupName: names[index] ?? '', error }));
  return {
    sent: due.filter((_, index) => !failed.has(index)),
    failures: [...failuresOf(due, unsent), ...failuresOf(givingBack, notGivenBack)],
  };
}
