import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { GiveBackAnswer } from '../../shared/groups/auto-scaling.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { counted } from '../counted.ts';
import { awaitMinSize } from './hold-step.ts';
import { othersOn } from './pods-step.ts';
import { groupOf, isLeaving, memberOf, type Trial } from './trial-state.ts';
import { pauseFor, persist, StepFailure, type WaitContext } from './wait.ts';

const terminateSeconds = 180;
/** What AWS describes may be this old. */
const settlingSeconds = 30;

/**
 * Terminates the instance of the trial with a lower desired capacity. A second call could lower it again, so what is about to be sent is recorded first,
 * and repeated only if the instance is still in service, in a group of the same size, half a minute later.
 *
 * @throws StepFailure if the group or the node is needed by others.
 */
export async function terminateOnce(
  trial: Trial,
  { instanceId, node }: { readonly instanceId: string; readonly node: Node | undefined },
  context: WaitContext,
): Promise<void> {
  const { access, record } = trial;
  await awaitMinSize(trial, context);
  const endsAt = context.clock.now() + terminateSeconds * 1000;
  for (;;) {
    if (record().terminatingSince !== undefined) await pauseFor(settlingSeconds, context);
    const group = await persist(() => groupOf(trial), context);
    const member = memberOf(group, instanceId);
    if (!member || isLeaving(member)) {
      trial.seen.isTerminated = record().terminatingSince !== undefined;
      return;
    }
    const { desiredCapacity } = record();
    if (group.desiredCapacity !== desiredCapacity + 1)
      throw new StepFailure(
        `${instanceId} stays: the desired capacity is ${group.desiredCapacity}, and the trial had made it ${desiredCapacity + 1}, so something else scales the group`,
      );
    await persist(() => keepIfOthers(trial, { instanceId, node }), context);
    const sentBefore = record().terminatingSince;
    const terminatingSince = new Date(context.clock.now()).toISOString();
    const stored = await persist(() => trial.keep({ terminatingSince }), context);
    const isAnothers = ![undefined, sentBefore, terminatingSince].includes(stored.terminatingSince);
    const answer = isAnothers ? takenByAnother : await answerTo(() => access.terminate(instanceId));
    if (answer.kind === 'terminating') {
      trial.seen.isTerminated = true;
      return;
    }
    if (answer.kind === 'denied') throw answer.error;
    if (context.clock.now() >= endsAt)
      throw answer.kind === 'unknown'
        ? answer.error
        : new StepFailure(`${instanceId} stays: ${answer.reason}`);
  }
}

const takenByAnother = { kind: 'busy', reason: 'another process is about to terminate it' } as const;

/** Without an answer it is unknown whether AWS has done it. */
async function answerTo(terminate: () => Promise<GiveBackAnswer>) {
  try {
    return await terminate();
  } catch (error) {
    return { kind: 'unknown', error } as const;
  }
}

/** @throws StepFailure if other pods are on the node, and may not be evicted. */
async function keepIfOthers(
  { access, evictsOthers }: Trial,
  { instanceId, node }: { readonly instanceId: string; readonly node: Node | undefined },
): Promise<void> {
  if (!node || evictsOthers) return;
  const name = nameOfNode(node);
  const others = await othersOn(access, name);
  if (others.length > 0)
    throw new StepFailure(
      `${instanceId} stays: ${counted(others.length, 'other pod')} came to node ${name}, ${others.slice(0, 3).join(', ')}; with --evict-others they are evicted within their budgets`,
    );
}
