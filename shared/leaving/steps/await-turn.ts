import {
  type AutoScalingGroup,
  type GroupInstance,
  isManaged,
  type LifecycleHook,
  leavesOneAtATime,
} from '../../groups/group.ts';
import { readLeavingSettings } from '../../groups/group-settings.ts';
import { isRetained, isTerminatingWait } from '../../groups/lifecycle-state.ts';
import { readLeavingMark } from '../../nodes/leaving-mark.ts';
import { leavingLabel } from '../../nodes/node-keys.ts';
import { instanceIdOf } from '../../nodes/node-names.ts';
import { again, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import { admitAdvised, spanBeganAt } from '../concurrency-limit/admit-advised.ts';
import { admitWaiting } from '../concurrency-limit/admit-waiting.ts';
import type { Admission, AdmissionInput, LeavingInstance } from '../concurrency-limit/free-slots.ts';
import { membersOf, waitingOf } from '../concurrency-limit/group-members.ts';
import type { LeavingContext } from '../context.ts';
import { searchMarkedNode } from '../search-node.ts';
import type { Leaving, Planned, Started } from '../state.ts';
import { endIfNothingToDrain } from './end-if-nothing-to-drain.ts';

type State = Started & Leaving & Planned;

/**
 * Checks the concurrency limits of the group and of the cluster before the Node is searched and marked. An instance that has
 * nothing to drain needs no turn.
 */
export async function awaitTurn(
  context: LeavingContext,
  state: State,
): Promise<Outcome | Pick<Started, 'subject'>> {
  if (state.plan.mustHurry || (await hasMarkedNode(context, state))) return { subject: state.subject };
  // No marked Node was found: the search for it is not repeated.
  const subject = { ...state.subject, redelivered: false };
  const outcome = await checkTurn(context, state);
  if (!outcome) return { subject };
  if (!mayBeDrained(context, state)) return outcome;
  return (await endIfNothingToDrain(context, { ...state, subject })) ?? outcome;
}

async function hasMarkedNode(context: LeavingContext, { subject }: Started): Promise<boolean> {
  const node = await searchMarkedNode(context, subject);
  return readLeavingMark(node?.metadata?.annotations) !== undefined;
}

/** A Node costs requests of its own, and a long queue many passes: every fifth of them searches. */
const passesBetweenSearches = 5;

/** Whether to search the Node out of turn: an earlier pass may have deleted it and not completed the hook. */
const mayBeDrained = ({ memory }: LeavingContext, { subject }: Started): boolean =>
  memory.hasDeletedNode(subject.instanceId) || (subject.receiveCount ?? 1) % passesBetweenSearches === 0;

/** Undefined where it is the turn of the instance. The kept list of groups shows instances that have left meanwhile, so the next in turn asks anew. */
async function checkTurn(context: LeavingContext, state: State): Promise<Outcome | undefined> {
  const { autoScaling, clock } = context;
  const first = await admissionAmong(context, state, await listGroupsIncluding(context, state));
  if (first.admitted) return undefined;
  if (!first.isNext) return waitForTurn(first);
  const fresh = await autoScaling.listGroups(clock.now() - nextAsksSeconds * 1000);
  const second = await admissionAmong(context, state, managedOf(context, fresh));
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
  // Saves the list of marked Nodes. Nodes that leave on EC2's advice are then not counted (ADR 0004).
  if (waiting.length === 1 && plan.hook) return { admitted: true };
  const limits = limitsOf(context, groups);
  if (limitsCoverAllMembers(groups, limits)) return { admitted: true };
  const now = context.clock.now();
  const input: AdmissionInput = {
    instanceId: instance.instanceId,
    started: await startedIn(context, groups, waits ? undefined : spanBeganAt(now)),
    waiting,
    ...limits,
  };
  const admit = (known: AdmissionInput): Admission =>
    waits ? admitWaiting(known) : admitAdvised({ ...known, members: allMembers(groups, instance), now });
  const admission = admit(input);
  return admission.admitted
    ? admission
    : admit({ ...input, waiting: await withoutDrained(context, { waiting, instance }) });
}

/**
 * The waiting instances that still have a Node. A drained instance stays in Terminating:Wait for as long as another hook of its
 * group waits, and occupies no slot.
 */
async function withoutDrained(
  { autoScaling, cluster }: LeavingContext,
  { waiting, instance }: { readonly waiting: readonly LeavingInstance[]; readonly instance: GroupInstance },
): Promise<readonly LeavingInstance[]> {
  const names = [...new Set(waiting.map(({ autoScalingGroupName }) => autoScalingGroupName))];
  const hooks = await Promise.all(names.map((name) => autoScaling.describeHooks(name)));
  const hasOtherHook = hooks.some((ofGroup) => ofGroup.filter(isTerminatingHook).length > 1);
  if (!hasOtherHook) return waiting;
  const nodes = await cluster.listNodes();
  const withNode = new Set(nodes.map(({ spec }) => instanceIdOf(spec?.providerID)));
  return waiting.filter(({ instanceId }) => withNode.has(instanceId) || instanceId === instance.instanceId);
}

const isTerminatingHook = ({ transition }: LifecycleHook): boolean => transition === 'terminating';

/** The next in turn ask this often: a slot that is free for longer makes a queue of hundreds wait for minutes. */
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

type Limits = Pick<AdmissionInput, 'maxInGroup' | 'maxInCluster'>;

function limitsOf({ settings }: LeavingContext, groups: readonly AutoScalingGroup[]): Limits {
  const { defaults, maxLeavingPerCluster } = settings;
  const maxima = new Map(
    groups.map((group) => [
      group.autoScalingGroupName,
      leavesOneAtATime(group) ? 1 : readLeavingSettings(group.tags, defaults).settings.maxLeaving,
    ]),
  );
  return {
    maxInGroup: (name) => maxima.get(name) ?? defaults.maxLeaving,
    maxInCluster: maxLeavingPerCluster,
  };
}

/** There are fewer instances in all than may leave at once, so that marked Nodes need not be listed. */
function limitsCoverAllMembers(
  groups: readonly AutoScalingGroup[],
  { maxInGroup, maxInCluster }: Limits,
): boolean {
  const inAll = groups.reduce((sum, group) => sum + membersOf(group).size, 0);
  return (
    inAll <= maxInCluster &&
    groups.every((group) => membersOf(group).size <= maxInGroup(group.autoScalingGroupName))
  );
}

/** A list that does not show the instance is older than its wait; passes of the same second may share the newer one. */
const secondsToShare = 1;

/** The managed groups, from a list that shows this wait: from an older one, instances that began to wait together would each see no other. */
async function listGroupsIncluding(
  context: LeavingContext,
  { instance, plan: { hook } }: State,
): Promise<readonly AutoScalingGroup[]> {
  const { autoScaling, clock } = context;
  const list = async (notBefore?: number) => managedOf(context, await autoScaling.listGroups(notBefore));
  const groups = await list();
  const isShown = waitingIn(groups).some(({ instanceId }) => instanceId === instance.instanceId);
  return isShown || !hook ? groups : await list(clock.now() - secondsToShare * 1000);
}

const managedOf = (
  { settings }: LeavingContext,
  groups: readonly AutoScalingGroup[],
): readonly AutoScalingGroup[] => groups.filter((group) => isManaged(group, settings.clusterName));

const waitingIn = (groups: readonly AutoScalingGroup[]): readonly GroupInstance[] =>
  groups.flatMap((group) => waitingOf(group));

const allMembers = (groups: readonly AutoScalingGroup[], instance: GroupInstance) =>
  withItself(
    groups.flatMap((group) => [...membersOf(group).values()]),
    instance,
  );

/** The list may be some seconds older than the notice. */
const withItself = (
  instances: readonly LeavingInstance[],
  instance: GroupInstance,
): readonly LeavingInstance[] =>
  instances.some(({ instanceId }) => instanceId === instance.instanceId)
    ? instances
    : [...instances, instance];

/** Instances with a marked Node. A retained instance waits for a person and occupies no slot. */
async function startedIn(
  { cluster }: LeavingContext,
  groups: readonly AutoScalingGroup[],
  notBefore?: number,
): Promise<LeavingInstance[]> {
  const nodes = await cluster.listNodeMetadata(leavingLabel, notBefore);
  return nodes.flatMap(({ annotations }) => {
    const instanceId = readLeavingMark(annotations)?.instanceId;
    if (instanceId === undefined) return [];
    const member = groups.map((group) => membersOf(group).get(instanceId)).find((found) => found);
    if (member && isRetained(member)) return [];
    return [{ instanceId, autoScalingGroupName: member?.autoScalingGroupName ?? '' }];
  });
}
