import { messageOf } from '../../shared/base/message-of.ts';
import { shellWord } from '../../shared/base/shell-words.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { placeOf } from './hold-step.ts';
import { nodeOf } from './join-step.ts';
import { taintPatch, trialTaint } from './objects.ts';
import { type TrialRecord, trialHold, trialNamespace } from './record.ts';
import { commandFor, terminateOnce } from './terminate.ts';
import { isLeaving, memberOf, newcomersIn, type Trial, withoutNamespace } from './trial-state.ts';
import { persist, StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

/** A run of prewarm that has read the hold before its end may raise MinSize this long after it. */
const lateRunMilliseconds = 100_000;
const launchSeconds = 300;
const removeSeconds = 120;

/**
 * Removes the pods, ends the hold, terminates the instance of the trial if it is still there, and deletes the namespace. A part that fails stops no
 * other. The namespace stays, with its record, only if a part could not be decided, so that another clean-up can go on.
 *
 * @returns what is left, each with what to do about it; empty if nothing is.
 */
export async function cleanUp(begun: Trial, context: WaitContext): Promise<readonly string[]> {
  const { access, namespaceUid, record } = begun;
  const { group, heldAt } = record();
  const left: string[] = [];
  let isDecided = true;
  const attempt = async <Result>(
    what: string,
    act: () => Promise<Result>,
    command: string,
  ): Promise<Result | undefined> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StepFailure)) isDecided = false;
      const remedy = error instanceof StepFailure ? (error.remedy ?? command) : command;
      left.push(`${what}: ${messageOf(error)}. To end it: ${remedy}`);
      return undefined;
    }
  };
  const found = await attempt(
    `namespace ${trialNamespace}`,
    () => persist(() => access.trials.find(), context),
    access.cleanUpCommand,
  );
  if (found && found.uid !== namespaceUid)
    return [
      `namespace ${trialNamespace} is that of another trial by now, so something else has cleaned up: look at the size of ${group}`,
    ];
  const trial = found ? begun : withoutNamespace(begun);
  if (found)
    await attempt(
      'the pods',
      () => persist(() => access.trials.removePods(), context),
      access.cleanUpCommand,
    );
  if (heldAt !== undefined)
    await attempt(
      `hold ${trialHold}`,
      () => persist(() => access.holds.end(placeOf(trial), { dryRun: false }), context),
      `drover hold end ${shellWord(group)} ${trialHold}`,
    );
  await attempt(`an extra node in ${group}`, () => removeInstance(trial, context), access.cleanUpCommand);
  if (found && isDecided)
    await attempt(
      `namespace ${trialNamespace}`,
      () => removeNamespace(trial, context),
      `kubectl get namespace ${trialNamespace} -o yaml shows what keeps it`,
    );
  return left;
}

/** @throws StepFailure if the group stays larger than before. */
async function removeInstance(trial: Trial, context: WaitContext): Promise<void> {
  const { access, record, keep } = trial;
  const instanceId = await ownInstance(trial, context);
  if (instanceId === undefined) return;
  const node = await persist(() => nodeOf(access, instanceId), context);
  if (record().instanceId === undefined && !node)
    throw new StepFailure(
      `${instanceId} has no Node yet, and whether it was launched for the trial is unknown`,
      commandFor(instanceId),
    );
  if (record().instanceId !== instanceId) await persist(() => keep({ instanceId }), context);
  try {
    await terminateOnce(trial, { instanceId, node }, context);
    context.say(`${instanceId} is terminated, and Drover drains its node`);
  } catch (error) {
    if (error instanceof StepFailure && node) await untaint(trial, nameOfNode(node), context);
    throw error;
  }
}

/** Waits until it is certain which instance is the trial's; undefined if none is. */
async function ownInstance(trial: Trial, context: WaitContext): Promise<string | undefined> {
  const { access, record } = trial;
  const settledAt = context.clock.now() + lateRunMilliseconds;
  const { group: name, desiredCapacity } = record();
  return await until(
    {
      withinSeconds: launchSeconds,
      everySeconds: 10,
      look: () => access.readGroup(name),
      judge: (group): Verdict<string | undefined> => {
        const now = context.clock.now();
        if (!group) return { done: undefined };
        if (group.desiredCapacity <= desiredCapacity)
          return mayStillRise(record()) && now < settledAt
            ? { waits: 'the hold has ended, and a run of prewarm that began before may still raise MinSize' }
            : { done: undefined };
        return claimIn(group, record(), now);
      },
      remedy: `aws autoscaling set-desired-capacity --auto-scaling-group-name ${shellWord(name)} --desired-capacity ${desiredCapacity}`,
    },
    context,
  );
}

const mayStillRise = ({ heldAt, instanceId }: TrialRecord): boolean =>
  heldAt !== undefined && instanceId === undefined;

/** After this time, a new instance may have been launched for any reason. */
const claimMilliseconds = 3_600_000;

/**
 * Which instance of a group that is larger than before is the trial's: the recorded one. Else it is the only new one, if the group is larger by one: it was
 * launched in the place of the recorded one, or for the hold before it could be recorded. Pure.
 *
 * @throws StepFailure if that is not certain.
 */
export function claimIn(
  group: AutoScalingGroup,
  record: TrialRecord,
  now: number,
): Verdict<string | undefined> {
  const recorded = memberOf(group, record.instanceId);
  if (recorded && !isLeaving(recorded)) return { done: recorded.instanceId };
  // The trial's has left for good, and the desired capacity was lowered with it: something else has raised it.
  if (record.terminatingSince !== undefined) return { done: undefined };
  const [newcomer, ...others] = newcomersIn(group, record).filter((member) => !isLeaving(member));
  const isLate = now - Date.parse(record.startedAt) > claimMilliseconds;
  const sizes = `the desired capacity is ${group.desiredCapacity}, and was ${record.desiredCapacity}`;
  if (others.length > 0 || group.desiredCapacity > record.desiredCapacity + 1 || (newcomer && isLate))
    throw new StepFailure(
      `${sizes}, and whether an instance was launched for the trial is unknown`,
      'look at the new instances, and terminate one with --should-decrement-desired-capacity if nothing needs it',
    );
  return newcomer
    ? { done: newcomer.instanceId }
    : { waits: `${sizes}, and Auto Scaling has launched no instance yet` };
}

/** The node stays in use. */
async function untaint({ access: { nodes } }: Trial, name: string, context: WaitContext): Promise<void> {
  await persist(async () => {
    const node = await nodes.getNode(name);
    if (!node) return;
    await nodes.patchNode(
      name,
      taintPatch(node, (taints) => taints.filter(({ key }) => key !== trialTaint.key)),
    );
  }, context);
}

async function removeNamespace({ access, namespaceUid }: Trial, context: WaitContext): Promise<void> {
  await persist(() => access.trials.removeNamespace(namespaceUid), context);
  await until(
    {
      withinSeconds: removeSeconds,
      look: () => access.trials.find(),
      judge: (found): Verdict<true> =>
        found?.uid === namespaceUid
          ? { waits: `namespace ${trialNamespace} is being deleted` }
          : { done: true },
    },
    context,
  );
}
