import { messageOf } from '../../shared/base/message-of.ts';
import { shellWord } from '../../shared/base/shell-words.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import type { FoundNamespace } from './cluster.ts';
import { endHold } from './hold-step.ts';
import { nodeOf } from './join-step.ts';
import { trialHold, trialNamespace } from './record.ts';
import { untaint } from './taint.ts';
import { terminateOnce } from './terminate.ts';
import { type Trial, withoutNamespace } from './trial-state.ts';
import { persist, StepFailure, until, type Verdict, type WaitContext } from './wait.ts';
import { awaitClaim } from './whose-instance.ts';

const removeSeconds = 120;

/**
 * Removes the pods, ends the hold, terminates the instance of the trial if it is still there, and deletes the namespace. A part that fails stops no
 * other. The namespace stays, with its record, while another clean-up can do more.
 *
 * @returns what is left, each with what to do about it; empty if nothing is.
 */
export async function cleanUp(begun: Trial, context: WaitContext): Promise<readonly string[]> {
  const { access, namespaceUid, record } = begun;
  const { group, heldAt } = record();
  const again = `Run: ${access.cleanUpCommand}`;
  const left: string[] = [];
  let mayGoOn = false;
  const attempt = async (what: string, act: () => Promise<unknown>, usual = again): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const remedy = error instanceof StepFailure ? error.remedy : undefined;
      if (remedy === undefined) mayGoOn = true;
      left.push(`${what}: ${messageOf(error)}. ${remedy ?? usual}`);
    }
  };
  const namespace = `namespace ${trialNamespace}`;
  let found: FoundNamespace | undefined;
  await attempt(namespace, async () => {
    found = await persist(() => access.trials.find(), context);
  });
  if (left.length > 0) return left;
  if (found && found.uid !== namespaceUid)
    return [
      `${namespace} belongs to another trial by now, so something else has cleaned up. Look at the size of ${group}`,
    ];
  const trial = found ? begun : withoutNamespace(begun);
  if (found) await attempt('the pods', () => persist(() => access.trials.removePods(), context));
  if (heldAt !== undefined)
    await attempt(
      `hold ${trialHold}`,
      () => persist(() => endHold(trial), context),
      `Run: drover hold end ${shellWord(group)} ${trialHold}`,
    );
  await attempt(
    `an extra node in ${group}`,
    () => removeInstance(trial, context),
    `${again}${trial.evictsOthers ? ' --evict-others' : ''}; to keep the node: kubectl delete ${namespace}`,
  );
  if (found && !mayGoOn)
    await attempt(
      namespace,
      () => removeNamespace(trial, context),
      `kubectl get ${namespace} -o yaml shows what keeps it`,
    );
  return left;
}

/** @throws StepFailure if the group stays larger than before, or the instance of the trial stays in it. */
async function removeInstance(trial: Trial, context: WaitContext): Promise<void> {
  const { access, record, keep, seen } = trial;
  const claim = await awaitClaim(trial, context);
  if (claim.kind === 'none') return;
  const { instanceId } = claim;
  const node = await persist(() => nodeOf(access, instanceId), context);
  try {
    if (claim.kind === 'member')
      throw new StepFailure(
        `${instanceId} serves in the group, which is not larger than before: another instance has left`,
        'Nothing has to be done, unless you want another node',
      );
    if (record().instanceId !== instanceId && !node && !seen.isOwnRun)
      throw new StepFailure(
        `${instanceId} has no Node, and whether it was launched for the trial is unknown`,
        'Terminate it with --should-decrement-desired-capacity if nothing needs it',
      );
    if (record().instanceId !== instanceId) await persist(() => keep({ instanceId }), context);
    await terminateOnce(trial, { instanceId, node }, context);
    context.say(`${instanceId} is terminated, and Drover drains its node`);
  } catch (error) {
    if (error instanceof StepFailure && node) await letPodsCome(trial, nameOfNode(node), context);
    throw error;
  }
}

const untaintSeconds = 60;

/** The node stays in use. */
const letPodsCome = ({ access }: Trial, name: string, context: WaitContext): Promise<true> =>
  until(
    {
      withinSeconds: untaintSeconds,
      everySeconds: 1,
      look: () => untaint(name, access),
      judge: (isDone): Verdict<true> =>
        isDone ? { done: true } : { waits: `node ${name} still has the taint of the trial` },
    },
    context,
  );

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
