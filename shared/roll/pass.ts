import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { describeFailures, type ItemFailure } from '../base/side-by-side.ts';
import { hasNoAnswer, isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { again, done, type Outcome } from '../passes/outcome.ts';
import { leavesAnyway } from './bounds.ts';
import type { RollContext } from './context.ts';
import { decideStep } from './decide-step.ts';
import {
  hasUnreadableMark,
  type RollPatch,
  releasePatch,
  rollsOf,
  unreadableMarkPatch,
} from './node-marks.ts';
import { notifyRoll } from './notify-roll.ts';
import { factsOf, type LiveRoll, type Observation, observe } from './observe.ts';
import { progressOf } from './progress.ts';
import {
  askParameterOf,
  formatSeen,
  keptAfterEndSeconds,
  type RollSeen,
  rollPathsOf,
  seenParameterOf,
} from './roll.ts';
import { hasEnded, rollsIn, type StoredRoll } from './rolls-in.ts';
import type { Step, StepFacts } from './step.ts';
import { takeStep } from './take-step.ts';

/** Parameter Store has 4 KB for a parameter, and the reason may name many instances. */
const longestReason = 1000;
/** Some refusals of AWS end with a long text that is encoded, and another one each time. */
const longestFailure = 300;

/**
 * One pass over the rolls of the cluster: a step of each, and then it is done. It may be killed after any call.
 *
 * It also releases what has no roll: Nodes with a mark or a taint of a roll that has ended, or whose parameters are gone. It reads all Nodes
 * anyway, and is the only function that may change them so; the sweep has a right to read.
 *
 * @throws if AWS or the API server cannot be read, or refuses a step, once the other rolls have had theirs. The queue repeats the pass.
 */
export async function rollsPass(context: RollContext): Promise<Outcome> {
  const { parameters, settings } = context;
  const paths = rollPathsOf(settings.clusterName);
  const stored = rollsIn(await parameters.listBelow(paths.rolls), paths);
  const rolls = stored.flatMap(liveRoll);
  const observation = await observeOrShow(context, rolls);
  const keep = new Set(
    stored.filter((one) => one.ask.kind === 'unreadable' || isLive(one)).map(({ name }) => name),
  );
  const reasons = stored.flatMap(whyUnreadable);
  const failures: ItemFailure[] = [];
  try {
    await forgetEnded(context, stored);
    reasons.push(...(await releaseStrays(context, observation, keep)));
  } catch (error) {
    failures.push({ item: 'what has no roll any more', error });
  }
  const waits: number[] = [];
  for (const live of rolls) {
    try {
      const known = await factsOf(context, { observation, rolls, live });
      const step = decideStep(known);
      // What lasts is written first: a roll that has stopped must not go on if the pass is killed.
      if (step.kind === 'wait') await writeSeen(context, known, step);
      const taken = await takeStep(context, { roll: live.roll, step, observation });
      // The reason of a stop lasts: what each pass has released would be added to it for ever.
      if (step.kind !== 'wait')
        await writeSeen(context, known, step.state === 'stopped' ? step : { ...step, reason: taken.reason });
      reasons.push(`${live.roll.name}: ${[taken.reason, ...describeKept(step)].join('; ')}`);
      if (taken.afterSeconds !== undefined) waits.push(taken.afterSeconds);
      // What is marked and tainted is released next.
      else if (step.state === 'stopped' && live.seen?.state !== 'stopped') waits.push(1);
    } catch (error) {
      failures.push({ item: `the roll ${live.roll.name}`, error });
      failures.push(...(await showFailure(context, live, error)));
    }
  }
  const reason = reasons.length === 0 ? 'there is no roll' : reasons.join('; ');
  if (failures.length > 0)
    throw new AggregateError(
      failures.map(({ error }) => error),
      `${reason}; ${describeFailures(failures)}`,
    );
  const facts = { rolls: rolls.length };
  return waits.length > 0 ? again(Math.min(...waits), reason, facts) : done(reason, facts);
}

/** Whether a pass may still change something for a roll. One that has stopped may be resumed. */
export const isLive = ({ ask, seen }: StoredRoll): boolean =>
  ask.kind === 'read' && seen?.state !== 'done' && seen?.state !== 'aborted';

const liveRoll = (one: StoredRoll): LiveRoll | [] =>
  one.ask.kind === 'read' && isLive(one) ? { roll: one.ask.value, ...(one.seen && { seen: one.seen }) } : [];

const whyUnreadable = ({ name, ask }: StoredRoll): string | [] =>
  ask.kind === 'unreadable' ? `the roll ${name} is not understood: ${ask.why}` : [];

const describeKept = ({ kept, uncordoned = [] }: Step): readonly string[] => [
  ...uncordoned.map((node) => `${nameOfNode(node)} is cordoned again: something else had uncordoned it`),
  ...(kept === undefined
    ? []
    : [
        ...kept.keep.map((node) => `${nameOfNode(node)} shall stay although empty`),
        ...kept.letGo.map((node) => `autoscalers may have ${nameOfNode(node)}`),
      ]),
];

/** Without an observation no roll takes a step, and each says why. */
async function observeOrShow(context: RollContext, rolls: readonly LiveRoll[]): Promise<Observation> {
  try {
    return await observe(context, rolls);
  } catch (error) {
    const more: ItemFailure[] = [];
    for (const live of rolls) more.push(...(await showFailure(context, live, error)));
    if (more.length === 0) throw error;
    throw new AggregateError(
      [error, ...more.map((failure) => failure.error)],
      `${messageOf(error)}; ${describeFailures(more)}`,
      { cause: error },
    );
  }
}

/**
 * Writes why the pass has failed, as the reason of the roll. The state stays, and so does the reason of a roll that has stopped: the next pass
 * reads it.
 *
 * @returns the failure of the write, if it fails too.
 */
async function showFailure(
  { parameters, clock, settings }: RollContext,
  { roll, seen }: LiveRoll,
  error: unknown,
): Promise<readonly ItemFailure[]> {
  const reason = `the last pass has failed: ${messageOf(error)}`.slice(0, longestFailure);
  // The next pass reads it, so it is written each time.
  const isUnread = hasNoAnswer(error);
  if (seen?.state === 'stopped' || (seen?.reason === reason && !isUnread)) return [];
  const before = seen ?? { state: 'running', since: clock.now(), told: [] };
  const name = seenParameterOf(rollPathsOf(settings.clusterName), roll.name);
  try {
    const unread = isUnread && { unreadableUntil: clock.now() };
    await parameters.write(name, formatSeen({ ...before, ...unread, startedAt: roll.startedAt, reason }));
    return [];
  } catch (failure) {
    return [{ item: `the reason of the roll ${roll.name}`, error: failure }];
  }
}

/** Notifies people of what has become of the roll, and writes what was seen if that is new. */
async function writeSeen(
  context: RollContext,
  facts: StepFacts,
  step: Pick<Step, 'state' | 'reason'>,
): Promise<void> {
  const { roll, seen, canaries, podsCheck } = facts;
  const podsChecked =
    seen?.podsChecked === true || (podsCheck !== undefined && podsCheck.blocked === undefined);
  const { clock, notify, parameters, settings } = context;
  const next: RollSeen = {
    startedAt: roll.startedAt,
    state: step.state,
    reason: step.reason.slice(0, longestReason),
    since: seen?.state === step.state && !isResumedSince(roll, seen) ? seen.since : clock.now(),
    told: seen?.told ?? [],
    ...(podsChecked && { podsChecked }),
    ...(seen?.unreadableUntil !== undefined && { unreadableUntil: seen.unreadableUntil }),
  };
  const left = progressOf(roll, facts).reduce((sum, { old }) => sum + old.length, 0);
  const told = await notifyRoll(notify, { roll, seen: next, left, canaries });
  if (isDeepStrictEqual(seen, { ...next, told })) return;
  const name = seenParameterOf(rollPathsOf(settings.clusterName), roll.name);
  await parameters.write(name, formatSeen({ ...next, told }));
}

/** A roll that stops again for the same reason has a new time. */
const isResumedSince = ({ resumedAt = 0 }: LiveRoll['roll'], { since }: RollSeen): boolean =>
  since < resumedAt;

const isResumed = ({ ask, seen }: StoredRoll): boolean =>
  ask.kind === 'read' && seen !== undefined && isResumedSince(ask.value, seen);

/** Deletes the parameters of rolls that ended a week ago. */
async function forgetEnded(
  { parameters, clock, settings }: RollContext,
  stored: readonly StoredRoll[],
): Promise<void> {
  const paths = rollPathsOf(settings.clusterName);
  for (const one of stored) {
    const { name, seen } = one;
    if (seen === undefined || !hasEnded(one) || isResumed(one)) continue;
    if (clock.now() - seen.since < keptAfterEndSeconds * 1000) continue;
    await parameters.remove(askParameterOf(paths, name));
    await parameters.remove(seenParameterOf(paths, name));
  }
}

/** The Nodes that have something of a roll that is not among these, and whose instances stay. */
async function releaseStrays(
  { cluster }: RollContext,
  { nodes, members }: Observation,
  keep: ReadonlySet<string>,
): Promise<readonly string[]> {
  const leaving = new Set(
    members.flatMap((member) => (member.node && leavesAnyway(member) ? nameOfNode(member.node) : [])),
  );
  const staying = nodes.filter((node) => !leaving.has(nameOfNode(node)));
  const strays = staying.flatMap((node) =>
    rollsOf(node)
      .filter((roll) => !keep.has(roll))
      .slice(0, 1)
      .map((roll) => ({ node, roll })),
  );
  const unreadable = staying.filter(hasUnreadableMark);
  for (const { node, roll } of strays)
    await release(cluster, node, releasePatch(node, { roll, keepsTaint: false }));
  for (const node of unreadable) await release(cluster, node, unreadableMarkPatch(node));
  return [
    ...strays.map(
      ({ node, roll }) => `released ${nameOfNode(node)}, which had a mark or a taint of the roll ${roll}`,
    ),
    ...unreadable.map(
      (node) =>
        `removed a mark of ${nameOfNode(node)} that is not understood${node.spec?.unschedulable ? '; it stays cordoned, because only the mark said by whom it was cordoned' : ''}`,
    ),
  ];
}

async function release(cluster: RollContext['cluster'], node: Node, patch: RollPatch): Promise<void> {
  try {
    await cluster.patchNode(nameOfNode(node), patch);
  } catch (error) {
    if (!isAboutAnotherObject(error)) throw error;
  }
}
