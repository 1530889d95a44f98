import {
  type AutoScalingGroup,
  type GroupInstance,
  isManaged,
  type LifecycleHook,
  leavesOneAtATime,
} from '../groups/group.ts';
import { isTerminatingWait } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { again, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { isOutcome } from '../passes/steps.ts';
import {
  type Admission,
  type AdmissionInput,
  admitAdvised,
  admitWaiting,
  freeSlots,
  type LeavingInstance,
  type Limits,
  limitsOf,
  membersOf,
  spanBeganAt,
  waitingOf,
} from './concurrency-limit.ts';
import type { Leaving, LeavingContext, Marked, Planned, Started, TurnTaken } from './context.ts';
import { endIfInstanceGone, findNode, isNodeDeleted, searchMarkedNode } from './find-node.ts';
import { renewMark } from './mark-and-cordon.ts';
import { aheadOf, capacityOf, heldForReplacement, unitsMissingFor } from './replaced-capacity.ts';
import { markedIn } from './started-leaves.ts';
import { awaitTurnOnWords, isOnWordsOnly } from './words-only.ts';

type State = Started & Leaving & Planned;

/**
 * Checks the concurrency limits of the group and of the cluster before the Node is found and marked. If only words say that an instance of
 * a control plane or of etcd leaves, it waits for its turn on words too, also if it must hurry. An instance that has nothing to
 * drain does not wait for its turn. Nor does one whose replacement is missing: it takes its turn once that serves, because a launch that
 * fails for hours must not occupy the slots of others.
 */
export async function awaitTurn(
  context: LeavingContext,
  state: State,
): Promise<Outcome | (Pick<Started, 'subject'> & TurnTaken)> {
  const onWords = isOnWordsOnly(state);
  if ((state.plan.mustHurry && !onWords) || isNodeDeleted(state.subject)) return { subject: state.subject };
  const marked = await searchOwnMark(context, state);
  if (marked?.mark.awaiting === 'replacement') return { subject: state.subject, turnIsDue: true };
  if (marked?.mark.awaiting === 'turn') {
    const outcome = await checkTurn(context, state);
    // Without the renewal, the sweep would take its wait for a lost one.
    if (outcome) await renewMark(context, { ...marked, plan: state.plan });
    return outcome ?? { subject: state.subject };
  }
  if (marked) return { subject: state.subject };
  // There is no marked Node: later steps do not read it by its label again.
  const subject = { ...state.subject, redelivered: false };
  if (await lacksReplacement(context, state)) return { subject, turnIsDue: true };
  const held = onWords ? await awaitTurnOnWords(context, state) : undefined;
  if (held) return held;
  if (state.plan.mustHurry) return { subject };
  const outcome = await checkTurn(context, state);
  if (!outcome) return { subject };
  if (!mayBeDrained(context, state)) return outcome;
  return (await endIfNothingToDrain(context, { ...state, subject })) ?? outcome;
}

async function searchOwnMark(context: LeavingContext, { subject }: Started): Promise<Marked | undefined> {
  const node = await searchMarkedNode(context, subject);
  const mark = readLeavingMark(node?.metadata?.annotations);
  return node && mark?.instanceId === subject.instanceId ? { node, mark } : undefined;
}

/** Whether by its tag the group awaits replacements, and by Auto Scaling that of this instance is missing. */
async function lacksReplacement(context: LeavingContext, state: State): Promise<boolean> {
  const { settings, waits, group, instance } = state;
  if (!settings.awaitReplacement || !waits || leavesOneAtATime(group)) return false;
  const { awaiting, started } = await markedIn(context, [group]);
  return unitsMissingFor(instance.instanceId, capacityOf(group, { instance, awaiting, started })) > 0;
}

/** Finding a Node costs requests, and a long queue takes many passes: every fifth of them does it. */
const passesBetweenSearches = 5;

/** Whether to find the Node before its turn: an earlier pass may have deleted it without completing the hook. */
const mayBeDrained = ({ memory }: LeavingContext, { subject }: Started): boolean =>
  memory.hasDeletedNode(subject.instanceId) || (subject.receiveCount ?? 1) % passesBetweenSearches === 0;

/** Ends the leave of an instance that has no Node, or that EC2 has ended; undefined if there is something to drain. */
async function endIfNothingToDrain(context: LeavingContext, state: State): Promise<Outcome | undefined> {
  const found = await findNode(context, state);
  if (isOutcome(found)) return found;
  const answer = await endIfInstanceGone(context, { ...state, ...found });
  return isOutcome(answer) ? answer : undefined;
}

/** Undefined if it is the turn of the instance. The cached list of groups shows instances that have left since, so the next in turn reads it again. */
export async function checkTurn(context: LeavingContext, state: State): Promise<Outcome | undefined> {
  const { autoScaling, clock } = context;
  const first = await admissionAmong(context, state, await listGroupsIncluding(context, state));
  if (first.admitted) return undefined;
  if (!first.isNext) return waitForTurn(first);
  const fresh = await autoScaling.listGroups(clock.now() - nextAsksSeconds * 1000);
  const second = await admissionAmong(context, state, countedGroups(context, state, fresh));
  return second.admitted ? undefined : waitForTurn(second);
}

async function admissionAmong(
  context: LeavingContext,
  state: State,
  groups: readonly AutoScalingGroup[],
): Promise<Admission> {
  const { instance, plan } = state;
  const waits = plan.hook !== undefined || isTerminatingWait(instance);
  const waiting = waits ? withItself(waitingIn(groups), instance) : waitingIn(groups);
  // This saves listing the marked Nodes, but does not count Nodes that leave on EC2's advice (ADR 0004).
  if (waiting.length === 1 && plan.hook) return { admitted: true };
  const limits = limitsOf(context.settings, groups);
  if (limitsCoverAllMembers(groups, limits)) return { admitted: true };
  const now = context.clock.now();
  const marked = await markedIn(context, groups, waits ? undefined : spanBeganAt(now));
  const held = heldForReplacement(marked.awaiting, instance);
  const taking = waiting.filter(({ instanceId }) => !held.has(instanceId));
  const input: AdmissionInput = {
    instanceId: instance.instanceId,
    started: [...marked.started, ...aheadOf(marked.awaiting, instance)],
    waiting: taking,
    ...limits,
  };
  // Members of its role that leave on words have taken turns by time already: another rotation might never meet the first.
  const members = isOnWordsOnly(state) ? [instance] : allMembers(groups, instance);
  const admit = (known: AdmissionInput): Admission =>
    waits ? admitWaiting(known) : admitAdvised({ ...known, members, now });
  const admission = admit(input);
  return admission.admitted
    ? admission
    : admit({ ...input, waiting: await withoutDrained(context, { waiting: taking, instance }) });
}

/**
 * The waiting instances that still have a Node. A drained instance stays in Terminating:Wait while another hook of its group waits, and
 * does not occupy a slot. The list is consistent: a watch cache that is behind lacks Nodes that have joined lately, as if they were
 * deleted.
 */
async function withoutDrained(
  { autoScaling, cluster }: LeavingContext,
  { waiting, instance }: { readonly waiting: readonly LeavingInstance[]; readonly instance: GroupInstance },
): Promise<readonly LeavingInstance[]> {
  const names = [...new Set(waiting.map(({ autoScalingGroupName }) => autoScalingGroupName))];
  const hooks = await Promise.all(names.map((name) => autoScaling.describeHooks(name)));
  const hasOtherHook = hooks.some((ofGroup) => ofGroup.filter(isTerminatingHook).length > 1);
  if (!hasOtherHook) return waiting;
  const nodes = await cluster.listNodes('consistent');
  const withNode = new Set(nodes.map(({ spec }) => instanceIdOf(spec?.providerID)));
  return waiting.filter(({ instanceId }) => withNode.has(instanceId) || instanceId === instance.instanceId);
}

const isTerminatingHook = ({ transition }: LifecycleHook): boolean => transition === 'terminating';

/** The next in turn check this often: in a queue of hundreds, longer intervals would add up to minutes. */
const nextAsksSeconds = 5;

function waitForTurn({
  ahead,
  isNext = false,
  afterSeconds = Infinity,
}: Extract<Admission, { admitted: false }>): Outcome {
  const reason =
    afterSeconds < Infinity
      ? 'the instances take turns, and its own turn comes later'
      : `the concurrency limit is reached; instances ahead of it: ${ahead}`;
  const seconds = Math.min(isNext ? nextAsksSeconds : longestWaitSeconds, afterSeconds);
  return again(seconds, reason, { waitsFor: 'turn' });
}

/** There are no more instances than may leave at once, so the marked Nodes need not be listed. */
function limitsCoverAllMembers(groups: readonly AutoScalingGroup[], limits: Limits): boolean {
  const members = groups.flatMap((group) => [...membersOf(group).values()]);
  const slots = freeSlots({ instanceId: '', started: [], waiting: [], ...limits });
  return members.every((member) => slots.take(member));
}

/** A list that does not show the instance is older than its wait. Passes of the same second may share a newer list. */
const secondsToShare = 1;

/** The managed groups, from a list that shows this wait. In an older list, instances that began to wait together would not see each other. */
async function listGroupsIncluding(
  context: LeavingContext,
  state: State,
): Promise<readonly AutoScalingGroup[]> {
  const { autoScaling, clock } = context;
  const { instance, plan } = state;
  const list = async (notBefore?: number) =>
    countedGroups(context, state, await autoScaling.listGroups(notBefore));
  const groups = await list();
  const isShown = waitingIn(groups).some(({ instanceId }) => instanceId === instance.instanceId);
  return isShown || !plan.hook ? groups : await list(clock.now() - secondsToShare * 1000);
}

/** The managed groups, and that of the instance: it may have lost its role during the wait. */
const countedGroups = (
  { settings }: LeavingContext,
  { instance }: State,
  groups: readonly AutoScalingGroup[],
): readonly AutoScalingGroup[] =>
  groups.filter(
    (group) =>
      isManaged(group, settings.clusterName) || group.autoScalingGroupName === instance.autoScalingGroupName,
  );

const waitingIn = (groups: readonly AutoScalingGroup[]): readonly GroupInstance[] =>
  groups.flatMap((group) => waitingOf(group));

const allMembers = (groups: readonly AutoScalingGroup[], instance: GroupInstance) =>
  withItself(
    groups.flatMap((group) => [...membersOf(group).values()]),
    instance,
  );

/** The list may be a few seconds older than the notice. */
const withItself = (
  instances: readonly LeavingInstance[],
  instance: GroupInstance,
): readonly LeavingInstance[] =>
  instances.some(({ instanceId }) => instanceId === instance.instanceId)
    ? instances
    : [...instances, instance];
