import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, isSuspended } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { instanceIdOf, nameOfNode } from '../nodes/node-names.ts';
import { inMotion, leavesAnyway, whyNoneMayLeave, whyNotWhole } from './bounds.ts';
import { candidatesOf } from './candidates.ts';
import { keepChanges } from './empty-new-nodes.ts';
import { isLaunchedSince, type RollMember } from './member.ts';
import { isKept, isTainted, markOf } from './node-marks.ts';
import { type GroupProgress, progressOf } from './progress.ts';
import type { NodeOfMember, Step, StepFacts, TerminationWay } from './step.ts';
import {
  hasStopped,
  whyHeld,
  whyNotReplaced,
  whyPaused,
  whyShrunk,
  whyStopped,
  whyUnseen,
} from './whether-to-go-on.ts';

/**
 * The next step of a roll. Everything is derived from the facts, so a pass that was killed at any call is followed by one that continues: a
 * marked Node is terminated first, or released. Pure.
 */
export function decideStep(facts: StepFacts): Step {
  const step = nextStep(facts);
  const uncordoned = whyHeld(facts) === undefined ? uncordonedNodes(facts) : [];
  return uncordoned.length === 0 ? step : { ...step, uncordoned };
}

/**
 * The marked Nodes of instances that leave, and are in service until their replacement is, which something else has uncordoned. The leaving pass
 * keeps the cordon of those that terminate.
 */
const uncordonedNodes = ({ roll, members }: StepFacts): readonly Node[] =>
  members
    .filter((member) => isInService(member) && leavesAnyway(member))
    .flatMap(({ node }) => node ?? [])
    .filter((node) => markOf(node, roll.name) !== undefined && node.spec?.unschedulable !== true);

function nextStep(facts: StepFacts): Step {
  const { roll, seen } = facts;
  if (seen?.state === 'done' || seen?.state === 'aborted') return stay(seen.state, seen.reason);
  const stopped = hasStopped(facts) ? seen?.reason : undefined;
  const held = whyHeld(facts);
  // A roll that has stopped stays so: it must not go on by itself once the pause ends.
  if (held !== undefined) return stopped === undefined ? stay('paused', held) : stay('stopped', stopped);
  if (roll.wanted === 'aborted') return abort(facts);
  const early = whyEarly(facts);
  if (early !== undefined) return releaseMarks(facts, 'running', early) ?? stay('running', early);
  if (stopped !== undefined) return releaseAll(facts, 'stopped', stopped) ?? stay('stopped', stopped);
  const stop = whyStopped(facts);
  if (stop !== undefined) return stay('stopped', stop);
  const progress = progressOf(roll, facts);
  const pause = whyPaused(facts, progress);
  if (pause !== undefined) return releaseMarks(facts, 'paused', pause) ?? stay('paused', pause);
  const lasting = whyShrunk(facts, progress) ?? whyUnseen(progress);
  if (lasting !== undefined) return stay('stopped', lasting);
  return withKept(facts, progress, proceed(facts, progress));
}

/** Nothing is changed. */
const stay = (state: Step['state'], reason: string): Step => ({ kind: 'wait', state, reason });

/**
 * Why the time of the request is not yet over: the clock of the computer that made it is ahead. Until then replacements would be older than
 * the roll, and be replaced again.
 */
function whyEarly({ roll: { wanted, startedAt, resumedAt = 0 }, now }: StepFacts): string | undefined {
  const from = Math.max(startedAt, resumedAt);
  return wanted === 'run' && from > now
    ? `it goes on at ${new Date(from).toISOString()}: the clock of the computer that asked for it is ahead`
    : undefined;
}

/** Nodes of instances that leave keep their marks: the drain reads them, and the Nodes go. */
function abort(facts: StepFacts): Step {
  const stuck = facts.members.find(
    (member) => member.node && markOf(member.node, facts.roll.name) && whyNotReplaced(facts, member),
  );
  if (stuck)
    return {
      kind: 'set-healthy',
      state: 'running',
      member: stuck,
      reason: `the roll is aborted: ${stuck.instanceId} is Healthy again, because ${whyNotReplaced(facts, stuck)}`,
    };
  const release = releaseAll(facts, 'running', 'the roll is aborted');
  if (release) return release;
  const left = facts.nodes.find((node) => hasOurs(node, facts));
  return left
    ? stay('running', `the roll is aborted: ${nameOfNode(left)} still leaves`)
    : stay('aborted', 'people have aborted it, and no taint and no mark of it is left');
}

const hasOurs = (node: Node, { roll }: StepFacts): boolean =>
  markOf(node, roll.name) !== undefined || isTainted(node, roll.name) || isKept(node, roll.name);

/** The Nodes with something of the roll whose instances stay. */
function releasable(facts: StepFacts): readonly Node[] {
  const leaving = new Set(facts.members.filter(leavesAnyway).map(({ instanceId }) => instanceId));
  return facts.nodes.filter(
    (node) => hasOurs(node, facts) && !leaving.has(instanceIdOf(node.spec?.providerID) ?? ''),
  );
}

function releaseAll(facts: StepFacts, state: Step['state'], reason: string): Step | undefined {
  const nodes = releasable(facts);
  return nodes.length === 0 ? undefined : { kind: 'release', nodes, keepsTaints: false, state, reason };
}

function releaseMarks(facts: StepFacts, state: Step['state'], reason: string): Step | undefined {
  const nodes = releasable(facts).filter((node) => markOf(node, facts.roll.name));
  return nodes.length === 0 ? undefined : { kind: 'release', nodes, keepsTaints: true, state, reason };
}

/** New Nodes are kept from autoscalers as long as they are empty. A release may be of the same Nodes: the pass after it sees what is left. */
function withKept(facts: StepFacts, progress: readonly GroupProgress[], step: Step): Step {
  const kept = keepChanges(facts, progress);
  return step.kind === 'release' || kept.keep.length + kept.letGo.length === 0 ? step : { ...step, kept };
}

function proceed(facts: StepFacts, progress: readonly GroupProgress[]): Step {
  const spared = releaseSpared(facts, progress);
  if (spared) return spared;
  for (const one of progress) {
    if (one.old.length > 0) return replaceIn(facts, one, progress);
    const why = whyNotWhole(one, facts);
    if (why !== undefined) return stay('running', why);
  }
  // What has become protected, say, since it was tainted.
  const release = releaseAll(facts, 'running', 'no old instance is left');
  if (release) return release;
  const left = facts.nodes.find((node) => hasOurs(node, facts));
  if (left) return stay('running', `${nameOfNode(left)} still leaves`);
  const gone = progress.find(({ group }) => group === undefined);
  if (gone)
    return stay(
      'stopped',
      `${gone.autoScalingGroupName} is not a managed group of the cluster any more, so nothing shows whether it has old instances`,
    );
  return stay('done', ['no old instance is left', ...leftOutIn(progress)].join('; '));
}

/** What is marked and has become protected, say, would count as leaving for ever. */
function releaseSpared(facts: StepFacts, progress: readonly GroupProgress[]): Step | undefined {
  const old = new Set(progress.flatMap((one) => one.old.map(({ member }) => member.instanceId)));
  const nodes = releasable(facts).filter(
    (node) => markOf(node, facts.roll.name) && !old.has(instanceIdOf(node.spec?.providerID) ?? ''),
  );
  return nodes.length === 0
    ? undefined
    : {
        kind: 'release',
        nodes,
        keepsTaints: true,
        state: 'running',
        reason: 'it is not to be replaced any more',
      };
}

const leftOutIn = (progress: readonly GroupProgress[]): readonly string[] =>
  progress.flatMap(({ autoScalingGroupName, leftOut }) =>
    leftOut.map(({ instanceId, why }) => `${instanceId} of ${autoScalingGroupName} is left: ${why}`),
  );

function replaceIn(facts: StepFacts, one: GroupProgress, progress: readonly GroupProgress[]): Step {
  const { roll, closed } = facts;
  const marked = releasable(facts).filter((node) => markOf(node, roll.name));
  if (closed !== undefined) return releaseMarks(facts, 'running', closed) ?? stay('running', closed);
  if (marked.length > 0) return continueWith(facts, one, progress, marked);
  const untainted = progress
    .filter(({ role }) => role === one.role)
    .flatMap(({ old }) => old.flatMap(({ member }) => member.node ?? []))
    .filter((node) => !isTainted(node, roll.name));
  const reason = `${untainted.length} old nodes shall take no more pods`;
  // Nodes that are without it again at once have lost it to another program, which must not hold the roll.
  if (untainted.length > 0 && facts.seen?.reason !== reason)
    return { kind: 'taint', state: 'running', nodes: untainted, reason };
  const wait = whyWait(facts, one, progress);
  return wait === undefined ? beginNext(facts, one) : stay('running', wait);
}

/** A marked Node is terminated if it still may go, and released otherwise. Whatever else is marked follows in its own steps. */
function continueWith(
  facts: StepFacts,
  one: GroupProgress,
  progress: readonly GroupProgress[],
  marked: readonly Node[],
): Step {
  const [node] = marked;
  const id = instanceIdOf(node?.spec?.providerID);
  const member = one.old.find((old) => old.member.instanceId === id)?.member;
  const why = member ? whyNotMarked(facts, one, member) : 'it is not to be replaced now';
  if (member === undefined || why !== undefined)
    return {
      kind: 'release',
      state: 'running',
      nodes: marked.slice(0, 1),
      keepsTaints: true,
      reason: `${id}: ${why}`,
    };
  return {
    kind: 'terminate',
    state: 'running',
    member,
    way: wayOf(one.group),
    isLast: whyWait(facts, one, progress) !== undefined,
    reason: `${member.instanceId} of ${one.autoScalingGroupName} is replaced`,
  };
}

/** Why a marked instance does not go any more; undefined if it does. */
function whyNotMarked(facts: StepFacts, one: GroupProgress, member: RollMember): string | undefined {
  if (!isInService(member)) return `it is ${member.lifecycleState}`;
  if (one.role !== 'worker') return whyNoneMayLeave(facts, member.instanceId);
  const { surge, maxUnavailable } = facts.roll;
  return inMotion(one, facts.members) > surge + maxUnavailable ? 'others leave by now' : undefined;
}

/** Why no instance of a group is begun now; undefined if one may be. */
function whyWait(
  facts: StepFacts,
  one: GroupProgress,
  progress: readonly GroupProgress[],
): string | undefined {
  const { surge, maxUnavailable, canary } = facts.roll;
  const name = one.autoScalingGroupName;
  const moving = inMotion(one, facts.members);
  if (one.role !== 'worker') {
    const strict = whyNoneMayLeave(facts);
    if (strict !== undefined) return strict;
  } else if (moving >= surge + maxUnavailable)
    return `${moving} of ${name} ${moving === 1 ? 'is' : 'are'} being replaced or missing, ${one.old.length} old to go`;
  if (canary === 0) return undefined;
  const begun = Math.max(0, moving) + launchedSince(facts, one).length;
  return whyBaking(facts, [...groupsBefore(one, progress), ...(begun >= canary ? [one] : [])]);
}

/** Why the canary of one of these groups holds what follows it; undefined if none does. */
function whyBaking({ canaries }: StepFacts, groups: readonly GroupProgress[]): string | undefined {
  for (const { autoScalingGroupName: name } of groups) {
    const verdict = canaries.get(name);
    if (verdict?.kind === 'waits') return `the canary of ${name}: ${verdict.reason}`;
  }
  return undefined;
}

/** The groups of the same role that were replaced before this one. A group of one has nothing that its own bake could hold. */
const groupsBefore = (one: GroupProgress, progress: readonly GroupProgress[]): readonly GroupProgress[] =>
  progress.slice(0, progress.indexOf(one)).filter(({ role }) => role === one.role);

/** The instances in service that the group has launched since the roll began. */
const launchedSince = ({ roll }: StepFacts, { fresh }: GroupProgress): readonly RollMember[] =>
  fresh.filter((member) => isInService(member) && isLaunchedSince(roll, member));

function beginNext(facts: StepFacts, one: GroupProgress): Step {
  const { roll, members } = facts;
  const ordered = candidatesOf(one, members);
  const [first] = ordered;
  if (first === undefined)
    return stay(
      'running',
      `${one.old.length} old instances of ${one.autoScalingGroupName} are not in service`,
    );
  // No kubelet, so no Node to mark: a member of etcd. One at a time holds the others.
  if (first.node === undefined)
    return {
      kind: 'terminate',
      state: 'running',
      member: first,
      way: wayOf(one.group),
      isLast: true,
      reason: `${first.instanceId} of ${one.autoScalingGroupName} is replaced`,
    };
  const waiting = members.filter(
    (member) =>
      member.autoScalingGroupName === one.autoScalingGroupName &&
      member.node !== undefined &&
      markOf(member.node, roll.name)?.waits === true,
  );
  return {
    kind: 'mark',
    state: 'running',
    candidates: ordered.flatMap((member): NodeOfMember | [] =>
      member.node ? { member, node: member.node } : [],
    ),
    waits: one.role !== 'worker' || waiting.length < roll.surge,
    reason: `${one.old.length} old instances of ${one.autoScalingGroupName} to go`,
  };
}

/** Auto Scaling must react to Unhealthy: otherwise the instance would stay marked. */
const wayOf = (group: AutoScalingGroup | undefined): TerminationWay =>
  group?.launchesBeforeTerminating === true &&
  group.ignoresUnhealthyInShift !== true &&
  !isSuspended(group, 'ReplaceUnhealthy')
    ? 'set-unhealthy'
    : 'terminate';
