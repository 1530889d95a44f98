import { type AutoScalingGroup, leavesOneAtATime, roleOf } from '../groups/group.ts';
import { again, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { isOutcome, type Noted } from '../passes/steps.ts';
import { checkTurn } from './await-turn.ts';
import { nodesIn } from './concurrency-limit.ts';
import type { Leaving, LeavingContext, NodeFound, Planned, Started, TurnTaken } from './context.ts';
import { ownNodes } from './find-node.ts';
import { keepCordoned, keepCordonOfRoll } from './keep-cordoned.ts';
import { markAwaiting } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';
import {
  capacityOf,
  type ReplacedCapacity,
  replacementAwaitedBy,
  unitsMissingFor,
  whyNotAwaited,
} from './replaced-capacity.ts';
import { groupsOfSameRole, missingInRole } from './same-role.ts';
import { markedIn } from './started-leaves.ts';

type State = Started & Leaving & Planned & NodeFound & TurnTaken;

/**
 * Holds the drain until the replacement serves, if a roll asks for it, or for a worker the tag of its group. An instance of a control plane or
 * of etcd always waits until the others of its role serve.
 */
export async function awaitReplacement(
  context: LeavingContext,
  state: State,
): Promise<Outcome | Partial<NodeFound & Noted>> {
  if (!leavesOneAtATime(state.group)) return await awaitOwn(context, state);
  const outcome = await awaitRole(context, state);
  return isOutcome(outcome) || replacementAwaitedBy(state) !== 'roll'
    ? outcome
    : await awaitOwn(context, state);
}

/** An instance of a control plane or of etcd leaves only while all others that the groups of its role should have serve. */
async function awaitRole(
  context: LeavingContext,
  { instance, group, plan, mark, node }: Leaving & Planned & NodeFound,
): Promise<Outcome | object> {
  const hasBegun = mark !== undefined && mark.awaiting === undefined;
  if (plan.mustHurry || hasBegun) return {};
  const { autoScaling, cluster, clock, settings } = context;
  // Fresh and consistent reads: an older one still counts the instance that has just left.
  const [listed, allNodes] = await Promise.all([
    autoScaling.listGroups(clock.now()),
    cluster.listNodes('consistent'),
  ]);
  const groups = groupsOfSameRole(listed, group, settings.clusterName);
  // Otherwise the Node of another instance that claims the providerID of a member would count as serving.
  const nodes = await ownNodes(
    context,
    groups.flatMap((one) => nodesIn(one, allNodes)),
  );
  const missing = missingInRole(groups, instance, nodes);
  if (missing === 0) return {};
  const desired = groups.reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0);
  const units = groups.some(({ countsUnits }) => countsUnits) ? 'units of instances' : 'instances';
  const name = groups.length > 1 ? `the role ${roleOf(group)}` : group.autoScalingGroupName;
  const note = await keepCordonOfRoll(context, { node, instanceId: instance.instanceId });
  const reason = `${name} waits for replacements: ${missing} more of its ${desired} ${units} must serve before the next one leaves`;
  return again(longestWaitSeconds, note === undefined ? reason : `${reason}; ${note}`, {
    waitsFor: 'replacement',
  });
}

/**
 * Holds the drain of an instance until as many instances serve as its group should have. The node is cordoned and marked before, so that it
 * takes no new pods, and takes its turn after. The drain timeout does not run meanwhile. The wait ends in time for the drain: when only the
 * drain timeout (at most half of the wait) is left before the limit of the hook, `mustHurry` is set, as for turns.
 */
async function awaitOwn(
  context: LeavingContext,
  state: State,
): Promise<Outcome | Partial<NodeFound & Noted>> {
  const { mark, notes } = state;
  if (mark && mark.awaiting === undefined) return {};
  const awaitedBy = replacementAwaitedBy(state);
  if (awaitedBy === undefined) return await takeTurn(context, state);
  const obstacle = whyNotAwaited(state);
  if (obstacle === undefined) {
    const missing = await missingReplacement(context, state);
    if (missing === undefined) return await takeTurn(context, state);
    const note = await keepAwaiting(context, state, {
      awaiting: 'replacement',
      why: `its replacement: ${missing}`,
    });
    const reason = `it waits for its replacement, and its pods stay: ${missing}`;
    return again(longestWaitSeconds, note === undefined ? reason : `${reason}; ${note}`, {
      waitsFor: 'replacement',
    });
  }
  const note = `its replacement is not awaited: ${obstacle}`;
  if (mark?.awaiting === 'replacement')
    recordEvent(context, state.node, { type: 'Warning', reason: 'ReplacementNotAwaited', message: note });
  const turn = await takeTurn(context, state);
  return isOutcome(turn)
    ? { ...turn, reason: `${turn.reason}; ${note}` }
    : { ...turn, notes: [...notes, note] };
}

/** Marks the Node, or keeps it marked and cordoned. Returns a note if something else had uncordoned it. */
async function keepAwaiting(
  context: LeavingContext,
  { instance: { instanceId }, plan, hasTwins, ...state }: State,
  wait: Pick<Parameters<typeof markAwaiting>[1], 'awaiting' | 'why'>,
): Promise<string | undefined> {
  const before = state.mark && { node: state.node, mark: state.mark };
  const { note, ...marked } = before ? await keepCordoned(context, before) : { ...state, note: undefined };
  const { node, mark } = marked;
  await markAwaiting(context, { instanceId, plan, node, mark, hasTwins, ...wait });
  return note;
}

/** What the group lacks, in words; undefined if the instance may be drained. Nodes are listed only if by Auto Scaling nothing is missing. */
async function missingReplacement(context: LeavingContext, state: State): Promise<string | undefined> {
  const { autoScaling, clock, cluster } = context;
  const { group, instance } = state;
  const known = await missingIn(context, state, group);
  if (known !== undefined) return known;
  const [groups, nodes] = await Promise.all([
    autoScaling.listGroups(clock.now() - freshSeconds * 1000),
    cluster.listNodes('consistent'),
  ]);
  const current = groups.find((one) => one.autoScalingGroupName === instance.autoScalingGroupName) ?? group;
  return await missingIn(context, state, current, nodes);
}

/** A list of groups that passes of these seconds share. */
const freshSeconds = 5;

async function missingIn(
  context: LeavingContext,
  { instance }: State,
  group: AutoScalingGroup,
  nodes?: Parameters<typeof capacityOf>[1]['nodes'],
): Promise<string | undefined> {
  const marked = await markedIn(context, [group]);
  const capacity = capacityOf(group, { instance, ...marked, ...(nodes && { nodes }) });
  const missing = unitsMissingFor(instance.instanceId, capacity);
  return missing === 0 ? undefined : describeMissing(group, missing, capacity);
}

const describeMissing = (
  { autoScalingGroupName, countsUnits }: AutoScalingGroup,
  missing: number,
  { desired, serving }: ReplacedCapacity,
): string =>
  `${missing} more of the ${desired} ${countsUnits ? 'units of instances' : 'instances'} of ${autoScalingGroupName} must serve, of which ${serving} do`;

/** The turn of an instance that did not take it before, because its replacement was missing. */
async function takeTurn(context: LeavingContext, state: State): Promise<Outcome | object> {
  if (state.plan.mustHurry || !state.turnIsDue) return {};
  const outcome = await checkTurn(context, state);
  if (outcome) await keepAwaiting(context, state, { awaiting: 'turn', why: 'its turn' });
  return outcome ?? {};
}
