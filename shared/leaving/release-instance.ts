import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { hasNoAnswer, isDenied } from '../draining/cluster-failure.ts';
import { ThrottledError } from '../groups/auto-scaling.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { identityOfNode, nameOfNode } from '../nodes/node-names.ts';
import { completeAction } from '../passes/hook-action.ts';
import { again, done, type Facts, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import type {
  EndedWait,
  HandedBack,
  Leaving,
  LeavingContext,
  LeavingSubject,
  Marked,
  NodeDeleted,
  Planned,
  Release,
  Started,
} from './context.ts';
import { notifyOfNode, recordEvent } from './notify.ts';

type State = Pick<Started, 'subject'> & Leaving & Planned & HandedBack & { readonly node?: Node };

/** Ends the pass if this environment released the instance moments ago: EC2 then reports that the instance is gone. */
export async function ignoreOwnRelease(
  { memory }: LeavingContext,
  { subject: { instanceId, notices } }: Started,
): Promise<Outcome | object> {
  const isReleased =
    memory.recall(instanceId)?.released && notices.every(({ cause }) => cause === 'instance-gone');
  return isReleased ? done('it was released moments ago') : {};
}

/**
 * Hands an instance that waits on no hook back to Auto Scaling, which terminates it through its load balancers and hooks and launches another
 * (TerminateInstanceInAutoScalingGroup, desired capacity unchanged). This comes before the deletion of the Node: after a pass that is killed
 * between the two, the instance leaves, and EC2's report that it is gone leads to its Node. In the other order, an instance whose reason to
 * leave ended meanwhile would stay in service without a Node. With twins, `deleteNode` ends the pass first. An instance that has left its group may
 * go on running, so its Node is kept.
 */
export async function handBackDrained(
  context: LeavingContext,
  state: Leaving & Marked,
): Promise<Outcome | HandedBack> {
  const handedBack = state.mark.hasTwins ? undefined : await handBack(context, state);
  return keptIfLeft(handedBack) ?? { ...(handedBack && { handedBack }) };
}

const leftSettlesSeconds = 5;

/** The next pass finds out whether the instance is detached or gone. */
const keptIfLeft = (handedBack: EndedWait | undefined): Outcome | undefined =>
  handedBack?.release === 'left' ? again(leftSettlesSeconds, handedBack.text) : undefined;

/** Undefined if the instance waits, and nothing has to be handed back. */
async function handBack(
  context: LeavingContext,
  { instance, waits }: Leaving,
): Promise<EndedWait | undefined> {
  if (waits) return undefined;
  const answer = await context.autoScaling.terminate(instance.instanceId);
  return answer === 'terminating'
    ? { release: 'handed-back', text: 'it is handed back to Auto Scaling' }
    : { release: 'left', text: 'it has left its group' };
}

/**
 * Deletes the drained Node, before the hook is completed: after a pass that is killed between the two, the next one finds no Node and
 * completes the hook. If other Nodes have the same providerID, they are drained too before the instance is released.
 * The Node of an instance that comes back with a new root volume is kept.
 */
export async function deleteNode(
  context: LeavingContext,
  {
    instance: { instanceId, autoScalingGroupName },
    plan,
    node,
    mark,
    keepsNode,
    subject,
    handedBack,
  }: Leaving & Planned & HandedBack & Pick<Marked, 'node'> & Partial<Marked & Started>,
): Promise<Outcome | NodeDeleted> {
  const name = node.metadata?.name;
  const drainSeconds = Math.round((context.clock.now() - plan.since) / 1000);
  if (keepsNode) return { nodeResult: `node ${name} is drained and stays cordoned`, drainSeconds };
  // Once it is handed back, the next pass finds it leaving, whatever has become of its Node.
  if (subject && !handedBack && !mark?.hasTwins && isLate(context, subject))
    context.events.push(noteNodeDeleted(context, { subject }));
  const answer = await tryRemoveNode(context, { instanceId, autoScalingGroupName, node });
  const nodeIsGone = typeof answer === 'string';
  if (mark?.hasTwins && nodeIsGone) {
    context.memory.forget(instanceId);
    return again(1, `node ${name} is drained${restOf(answer)}; another node of the instance is next`);
  }
  return { nodeResult: `node ${name} is drained${restOf(answer)}`, nodeIsGone, drainSeconds };
}

function restOf(answer: Awaited<ReturnType<typeof tryRemoveNode>>): string {
  if (typeof answer === 'object') return `, and not deleted: ${answer.failure}`;
  return answer === 'deleted' ? ' and deleted' : ' and was gone';
}

/**
 * Ends the wait with CONTINUE, or hands the instance back. If the instance comes back with a new root volume, its message stays in the queue
 * until its Node is uncordoned.
 */
export async function completeHook(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  if (state.isDenied) return await letDeniedWaitGo(context, state);
  if (state.keepsNode && state.node) return await letRootVolumeGo(context, state);
  const result = await letInstanceGo(context, state);
  context.memory.remember(state.instance.instanceId, {
    released: state.plan.action ? 'completed' : 'handed-back',
  });
  return done(`${state.nodeResult}; ${result.text}`, { ...factsOf(state), ...result.facts });
}

/** The deletion and the completion of the hook may take this long from the time of a pass, which has 26 s. */
const lateAfterMilliseconds = 12_000;

/**
 * Whether the pass may end before the answer to the deletion. The next pass would then look for a Node that is gone, which takes the most
 * requests in a row. Its pods have left, so that pass may complete the hook even if the deletion has failed.
 */
const isLate = ({ clock }: LeavingContext, { begun }: LeavingSubject): boolean =>
  begun !== undefined && clock.now() >= begun.at + lateAfterMilliseconds;

/**
 * Sends a message which shows the next pass that the Node is gone. Otherwise a pass in another environment waits for its turn to drain, and searches all Nodes.
 * Without the message the next passes find that out by themselves, only later.
 */
async function noteNodeDeleted(
  context: LeavingContext,
  { subject: { instanceId, notices } }: Pick<Started, 'subject'>,
): Promise<void> {
  const notice = notices.find(({ hook }) => hook) ?? notices[0];
  if (!notice || notices.some(({ nodeDeleted }) => nodeDeleted)) return;
  try {
    await context.sendNotice({ ...notice, nodeDeleted: true });
  } catch (error) {
    context.reportError(`the message that the node of ${instanceId} is deleted could not be sent`, error);
  }
}

/** AWS denies the completion while the group lacks the tag of the cluster. If the tag is back in time, the completion succeeds. */
async function letDeniedWaitGo(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  const { nodeResult, plan } = state;
  try {
    const result = await letInstanceGo(context, state);
    return done(`${nodeResult}; ${result.text}`, { ...factsOf(state), ...result.facts });
  } catch (error) {
    const end = plan.waitEndsAt === undefined ? '' : ` at ${new Date(plan.waitEndsAt).toISOString()}`;
    const reason = `${nodeResult}; its hook cannot be completed, and the wait ends by itself${end}: ${messageOf(error)}`;
    return again(longestWaitSeconds, reason, factsOf(state));
  }
}

async function letRootVolumeGo(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  const result = await letInstanceGo(context, state);
  const reason = `${state.nodeResult}; ${result.text}, and it comes back with a new root volume`;
  return again(longestWaitSeconds, reason, { ...factsOf(state), ...result.facts, waitsFor: 'reboot' });
}

/**
 * Ends the wait without a drain, or after a failed one. Deletes the Node unless its instance comes back. If EC2 has ended the instance (`isGone`), the Node
 * goes first: its pods and volumes should not wait for Auto Scaling.
 */
export async function release(
  context: LeavingContext,
  state: State & { readonly node: Node },
  { isGone = false } = {},
): Promise<Outcome> {
  const {
    node,
    instance: { instanceId, autoScalingGroupName },
  } = state;
  if (state.keepsNode)
    return await completeHook(context, {
      ...state,
      nodeResult: `node ${node.metadata?.name} stays cordoned`,
    });
  const handedBack = isGone ? undefined : await handBack(context, state);
  const left = keptIfLeft(handedBack);
  if (left) return left;
  const answer = await tryRemoveNode(context, { instanceId, autoScalingGroupName, node });
  const kept = typeof answer === 'object' && `is not deleted: ${answer.failure}`;
  const result = kept || (answer === 'deleted' ? 'is deleted' : 'was gone');
  const nodeResult = `node ${node.metadata?.name} ${result}`;
  return await completeHook(context, {
    ...state,
    ...(handedBack && { handedBack }),
    nodeResult,
    nodeIsGone: !kept,
  });
}

/** In words for the operator, and as facts for `drover report`, which counts a leave once although a killed pass may repeat its end. */
interface Released {
  readonly text: string;
  readonly facts: { readonly release: Release; readonly leaveSeconds: number };
}

async function letInstanceGo(context: LeavingContext, state: State & NodeDeleted): Promise<Released> {
  const { release, text } = await endWait(context, state);
  const now = context.clock.now();
  const began = Math.min(now, ...state.subject.notices.map((notice) => Date.parse(notice.noticedAt)));
  return { text, facts: { release, leaveSeconds: Math.round((now - began) / 1000) } };
}

async function endWait(context: LeavingContext, state: State & NodeDeleted): Promise<EndedWait> {
  const { autoScaling } = context;
  const {
    plan: { action },
    toWarmPool,
  } = state;
  if (action) {
    const answer = await completeAction(autoScaling, action, 'CONTINUE').catch(async (error: unknown) => {
      if (error instanceof ThrottledError && state.nodeIsGone) await noteNodeDeleted(context, state);
      throw error;
    });
    if (answer === 'not-active') return { release: answer, text: 'its hook waits no longer' };
    const text = toWarmPool ? 'its hook is completed, it returns to the warm pool' : 'its hook is completed';
    return { release: 'completed', text };
  }
  // An instance without a Node has not been handed back yet.
  const ended = state.handedBack ?? (await handBack(context, state));
  return ended ?? { release: 'no-hook', text: 'it waits on no hook of ours' };
}

const factsOf = ({ instance, node, drainSeconds, toWarmPool }: State & NodeDeleted): Facts => ({
  autoScalingGroupName: instance.autoScalingGroupName,
  ...(node && { node: nameOfNode(node) }),
  ...(drainSeconds !== undefined && { drainSeconds }),
  ...(toWarmPool && { toWarmPool }),
});

interface NodeToRemove {
  readonly instanceId: string;
  readonly node: Node;
  readonly autoScalingGroupName?: string | undefined;
}

/**
 * Deletes the Node unless another one has its name by now, and remembers that it is gone, so that the next pass does not search for it.
 * The notification is sent before: once the Node is gone, no pass would know that it is due.
 */
export async function removeNode(
  context: Pick<LeavingContext, 'cluster' | 'memory' | 'notify'>,
  removed: NodeToRemove,
): Promise<'deleted' | 'gone'> {
  const { cluster, memory } = context;
  const { instanceId, node } = removed;
  const { name, uid } = identityOfNode(node);
  await notifyGone(context, removed);
  const answer = await cluster.deleteNode({ name, uid });
  memory.forget(instanceId);
  memory.remember(instanceId, { nodeDeleted: true });
  return answer;
}

async function notifyGone(
  context: Pick<LeavingContext, 'notify'>,
  { instanceId, node, autoScalingGroupName }: NodeToRemove,
): Promise<void> {
  const { annotations, creationTimestamp = '' } = node.metadata ?? {};
  const mark = readLeavingMark(annotations) ?? { instanceId, since: creationTimestamp };
  await notifyOfNode(context, {
    kind: 'node-gone',
    node,
    mark,
    what: 'has left the cluster',
    autoScalingGroupName,
  });
}

/** A failure within this time leaves time for a second attempt. */
const quickMilliseconds = 2000;

/**
 * Deletes the Node of an instance that is released. A deletion that is denied, or gets no response, does not hold the instance: the
 * sweep deletes the Node once the instance is gone.
 */
async function tryRemoveNode(
  context: LeavingContext,
  removed: NodeToRemove,
): Promise<'deleted' | 'gone' | { readonly failure: string }> {
  const startedAt = context.clock.now();
  const isQuick = (): boolean => context.clock.now() - startedAt <= quickMilliseconds;
  try {
    return await removeNode(context, removed).catch((error: unknown) => {
      if (hasNoAnswer(error) && !isDenied(error) && isQuick()) return removeNode(context, removed);
      throw error;
    });
  } catch (error) {
    if (!hasNoAnswer(error) && !isDenied(error)) throw error;
    const failure = messageOf(error);
    context.reportError(
      `node ${removed.node.metadata?.name} is not deleted, and its instance is released`,
      error,
    );
    if (isDenied(error))
      recordEvent(context, removed.node, { type: 'Warning', reason: 'NodeNotDeleted', message: failure });
    return { failure };
  }
}
