import { pause, type TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { type AutoScalingGroup, isManaged } from '../../groups/group.ts';
import type { Notification } from '../../notifications/notification.ts';
import { again, done, type Outcome } from '../../passes/outcome.ts';
import { describePause, pauseOf } from '../../passes/pause.ts';
import { type Bounds, GroupsError } from '../groups.ts';
import type { PodsReading, PodsRecord } from '../pod-holds/pods-reading.ts';
import { endHold } from './change-holds.ts';
import type { HoldContext } from './context.ts';
import { decideFloor, decideGone, type FloorAction, recordWhilePaused } from './decide-floor.ts';
import {
  type FloorReading,
  type FloorRecord,
  formatFloorRecord,
  type GroupHolds,
  readFloorRecord,
  showsOthers,
} from './floor-record.ts';
import type { Hold } from './hold.ts';
import { floorParameterOf, holdParameterOf, holdsIn, holdsOfGroup } from './parameters.ts';
import { isForPods, knowPods, podsIn } from './pod-floor.ts';
import { type Unmet, unmetOf, unmetReason } from './unmet.ts';

interface PassContext extends HoldContext {
  readonly clock: TimerClock;
}

/**
 * One pass over the capacity of a group: makes the next change that its holds ask for. The scan of the next minute starts another pass for
 * further changes. The pass may be killed after any call: the record is written before the bounds are set. While the group is paused, only
 * the record is written: it must contain since when the holds lack nodes.
 *
 * @param reading what the scan found of the pods of holds, if the message has it.
 */
export async function capacityPass(
  context: PassContext,
  autoScalingGroupName: string,
  reading?: PodsReading,
): Promise<Outcome> {
  const { maxSizeLimit } = context;
  const { group, known } = await readSurely(context, autoScalingGroupName, reading);
  const isOurs = group !== undefined && isManaged(group, context.clusterName);
  const isFirst = known.record.kind === 'none';
  const pause = isOurs ? pauseOf(group.tags) : undefined;
  if (isOurs && pause !== undefined) {
    const record = recordWhilePaused({ group, ...known, maxSizeLimit });
    if (record) await writeRecord(context, { autoScalingGroupName, group, record, isFirst, known });
    return done(`${describePause(pause)}; MinSize stays ${group.minSize}`);
  }
  const { action, problems } = isOurs
    ? decideFloor({ group, ...known, maxSizeLimit })
    : decideGone({ ...known, untagged: group });
  const did = await carryOut(context, {
    autoScalingGroupName,
    group,
    action,
    isFirst,
    known,
  }).catch(whyBusy);
  const reason = [did.text, ...problems].join('; ');
  const facts = { action: action.kind, problems: problems.length };
  return did.hides && isAboutPods(known)
    ? again(staleSeconds, `${reason}; the next pass begins when every read shows that`, facts)
    : done(reason, facts);
}

interface Facts {
  readonly group: AutoScalingGroup | undefined;
  readonly known: GroupHolds & {
    readonly now: number;
    readonly pods?: PodsRecord;
    readonly raisesOnly?: boolean;
  };
}

/** Parameter Store and Auto Scaling return what is up to ten seconds old. */
const staleSeconds = 10;

/**
 * The nodes that holds for pods ask for are only in the record. If Parameter Store returns an older record, a value that Drover has just set looks like a
 * change by something else and would become the base, an older number would lower MinSize, and the older record would replace the newer one. The facts are
 * therefore read again before such a change, when every answer is certainly newer. Bounds are raised at once.
 */
async function readSurely(
  context: PassContext,
  autoScalingGroupName: string,
  reading: PodsReading | undefined,
): Promise<Facts> {
  const facts = await read(context, autoScalingGroupName, reading);
  if (!mayBeOld(facts, { reading, maxSizeLimit: context.maxSizeLimit })) return facts;
  await pause(context.clock, staleSeconds * 1000);
  return await read(context, autoScalingGroupName, reading);
}

function mayBeOld(
  { group, known }: Facts,
  { reading, maxSizeLimit }: { readonly reading: PodsReading | undefined; readonly maxSizeLimit: number },
): boolean {
  if (group === undefined || !isAboutPods(known)) return false;
  const facts = { group, ...known, maxSizeLimit };
  if (showsOthers(facts)) return true;
  const { action } = decideFloor(facts);
  // Nothing new was found, so the record would be tidied.
  if (action.kind === 'write') return reading?.kind !== 'read' || known.pods?.readAt !== reading.readAt;
  if (action.kind !== 'set') return false;
  const { minSize = group.minSize, maxSize = group.maxSize } = action.bounds;
  return minSize < group.minSize || maxSize < group.maxSize;
}

async function read(
  { groups, parameters, paths, clock }: HoldContext,
  autoScalingGroupName: string,
  reading: PodsReading | undefined,
): Promise<Facts> {
  const [group, holdTexts, recordText] = await Promise.all([
    groups.describeGroup(autoScalingGroupName),
    parameters.listBelow(holdsOfGroup(paths, autoScalingGroupName)),
    parameters.read(floorParameterOf(paths, autoScalingGroupName)),
  ]);
  const now = clock.now();
  const texts = { holds: holdsIn(holdTexts, paths), record: readFloorRecord(recordText), now };
  return { group, known: knowPods(texts, { reading, now }) };
}

/** Holds that have ended count too: they are deleted minutes later. */
const isAboutPods = ({ holds, record }: GroupHolds): boolean =>
  podsIn(record) !== undefined || holds.some((one) => one.kind === 'hold' && isForPods(one.hold));

/** EKS may update a node group for an hour and does not accept another change meanwhile. The scan of each minute tries again. */
function whyBusy(error: unknown): Carried {
  if (error instanceof GroupsError && error.code === 'busy') return { text: error.message };
  throw error;
}

interface Change {
  readonly autoScalingGroupName: string;
  readonly group: AutoScalingGroup | undefined;
  readonly action: FloorAction;
  /** Whether there was no record when the pass read it. */
  readonly isFirst: boolean;
  readonly known: GroupHolds & { readonly now: number };
}

interface Carried {
  /** What the pass has done, in words. */
  readonly text: string;
  /**
   * Reads do not show it everywhere yet. Another scan at the same time may have found another number of nodes for pods, and its pass would take what it
   * does not recognise for the base: it waits behind the message of this pass, which comes again.
   */
  readonly hides?: true;
}

async function carryOut(context: HoldContext, change: Change): Promise<Carried> {
  const { autoScalingGroupName, group, action } = change;
  const { groups, parameters, paths } = context;
  const recordName = floorParameterOf(paths, autoScalingGroupName);
  const write = (record: FloorRecord) => writeRecord(context, { ...change, record });
  switch (action.kind) {
    case 'set':
      if (!(await write(action.record))) return writtenElsewhere;
      await groups.setBounds(group ?? gone(), action.bounds);
      return { text: [...changesOf(action.bounds), baseText(action.record)].join('; '), hides: true };
    case 'write':
      if (!(await write(action.record))) return writtenElsewhere;
      return { text: `wrote the record of the bounds: ${baseText(action.record)}` };
    case 'end':
      return { text: await removeHolds(context, { autoScalingGroupName, names: action.names }) };
    case 'arrived':
      return { text: await endArrived(context, { autoScalingGroupName, names: action.names }) };
    case 'forget':
      await parameters.remove(recordName);
      return { text: 'the group has no holds, and the record of its floor is deleted' };
    case 'wait':
      return { text: `waiting ${action.seconds} s until Auto Scaling certainly shows the last change` };
    case 'none':
      return { text: 'MinSize and MaxSize are as they should be' };
  }
}

/**
 * Writes the record of a group; false if another pass has just created it. Parameter Store may not return a new record for seconds, and a
 * second record would have as its base what the first pass has set.
 */
async function writeRecord(
  context: HoldContext,
  {
    autoScalingGroupName,
    group,
    record,
    isFirst,
    known,
  }: Omit<Change, 'action'> & { readonly record: FloorRecord },
): Promise<boolean> {
  const { parameters, paths } = context;
  const name = floorParameterOf(paths, autoScalingGroupName);
  const text = formatFloorRecord(group ? await notifyUnmet(context, record, { ...known, group }) : record);
  if (isFirst) return await parameters.create(name, text);
  await parameters.write(name, text);
  return true;
}

/** @throws if holds cannot be deleted, once every other is deleted. */
async function removeHolds(
  { parameters, paths }: HoldContext,
  {
    autoScalingGroupName,
    names,
  }: { readonly autoScalingGroupName: string; readonly names: readonly string[] },
): Promise<string> {
  const results = await Promise.allSettled(
    names.map((name) => parameters.remove(holdParameterOf(paths, { autoScalingGroupName, name }))),
  );
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ name: names[index], error: result.reason as unknown }] : [],
  );
  if (failures.length === 0) return `deleted the holds that have ended: ${names.join(', ')}`;
  throw new AggregateError(
    failures.map(({ error }) => error),
    `${names.length - failures.length} of ${names.length} holds that have ended are deleted: ${failures
      .map(({ name, error }) => `${name}: ${messageOf(error)}`)
      .join('; ')}`,
  );
}

/** As `drover hold end` does: the parameter of a schedule's hold stays, so that the schedule does not make it again. */
async function endArrived(
  { parameters, paths, clock }: HoldContext,
  {
    autoScalingGroupName,
    names,
  }: { readonly autoScalingGroupName: string; readonly names: readonly string[] },
): Promise<string> {
  const store = { parameters, paths, now: clock.now() };
  for (const name of names) await endHold(store, { autoScalingGroupName, name });
  return `ended the holds whose pods have all been bound: ${names.join(', ')}`;
}

const writtenElsewhere: Carried = {
  text: 'another pass has just written the record, and the next pass continues from it',
  hides: true,
};

const gone = (): never => {
  throw new GroupsError('gone', 'the group does not exist any more');
};

const changesOf = ({ minSize, maxSize }: Partial<Bounds>): readonly string[] => [
  ...(minSize === undefined ? [] : [`MinSize is now ${minSize}`]),
  ...(maxSize === undefined ? [] : [`MaxSize is now ${maxSize}`]),
];

const baseText = ({ minSize, maxSize }: FloorRecord): string =>
  `base: MinSize ${minSize.base}, MaxSize ${maxSize.base}`;

interface ShortGroup extends GroupHolds {
  readonly group: AutoScalingGroup;
  readonly now: number;
}

/**
 * The record to write, after a notification was sent if the holds have begun to lack nodes. If EventBridge did not accept the notification,
 * the record does not contain `unmet`, and the next pass sends it again.
 */
async function notifyUnmet(
  { notify }: Pick<HoldContext, 'notify'>,
  record: FloorRecord,
  short: ShortGroup,
): Promise<FloorRecord> {
  const unmet = unmetOf(short.group, short, short.now);
  if (unmet === undefined || !record.unmet || wasNotified(short.record)) return record;
  const result = await notify(unmetNotification(short, unmet));
  if (result !== 'failed') return record;
  const { unmet: _, ...withoutUnmet } = record;
  return withoutUnmet;
}

const wasNotified = (reading: FloorReading): boolean =>
  reading.kind === 'record' && reading.record.unmet === true;

/** The name of the occurrence contains the begin of the lack, because nodes may be lost again during the same holds. */
const unmetNotification = (
  { group: { autoScalingGroupName }, holds }: ShortGroup,
  unmet: Unmet,
): Notification => ({
  kind: 'hold-unmet',
  occurrence: `${autoScalingGroupName}/${new Date(unmet.since).toISOString()}`,
  message: `group ${autoScalingGroupName} lacks capacity: ${unmetReason(unmet, [])}`,
  facts: {
    autoScalingGroupName,
    reasons: holds.flatMap((reading) => (reading.kind === 'hold' ? [askedBy(reading.hold)] : [])),
  },
});

const askedBy = (hold: Hold): string =>
  isForPods(hold)
    ? `hold ${hold.name} asks for ${hold.pods.total} pods, which need ${hold.nodes} nodes`
    : `hold ${hold.name} asks for ${hold.nodes}`;
