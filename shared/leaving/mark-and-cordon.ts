import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isAboutAnotherObject, isDenied } from '../draining/cluster-failure.ts';
import { cordonPatch, markPatch, type NodePatch, stateBefore } from '../draining/cordon.ts';
import { claimsOf } from '../draining/pod-facts.ts';
import { heartbeatIntervalSeconds } from '../groups/hook-timing.ts';
import { bootOf, type LeavingMark, shownPods } from '../nodes/leaving-mark.ts';
import { reportsVolumes } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import type { Noted } from '../passes/steps.ts';
import type { Drained, Leaving, LeavingContext, Marked, NodeFound, Planned, Started } from './context.ts';
import { datesLeave, type LeavePlan, planWith } from './leave-plan.ts';
import { type LeaveBegun, notifyLeaving, recordEvent } from './notify.ts';

const secondsBetweenPodLists = 30;
/** In a mark, whose length is bounded. */
const mostRestarted = 50;

type MarkedByPlan = Marked & { readonly plan: LeavePlan };

interface NodeToMark {
  readonly instanceId: string;
  readonly plan: LeavePlan;
  readonly node: Node;
  /** Of a node that has waited for its replacement. */
  readonly mark?: LeavingMark | undefined;
  readonly hasTwins?: boolean | undefined;
  readonly keepsNode?: boolean;
}

interface NodeOfGroup extends NodeToMark, Pick<LeaveBegun, 'subject' | 'autoScalingGroupName'> {}

/** Whether a roll has marked the Node, or had when it was first marked as leaving. */
const isOfRoll = (node: Node, mark: LeavingMark | undefined): boolean =>
  mark?.ofRoll === true || typeof readRollingMark(node.metadata?.annotations) === 'object';

/** The mark of a leave that begins. */
function newMark(
  { clock }: Pick<LeavingContext, 'clock'>,
  { instanceId, plan, node, mark, hasTwins, keepsNode = false }: NodeToMark,
) {
  return {
    cause: plan.cause,
    instanceId,
    since: iso(plan.since),
    ...(isOfRoll(node, mark) && { ofRoll: true }),
    ...(mark && { awaitedSince: mark.awaitedSince ?? mark.since }),
    ...untilOf(plan),
    renewedAt: iso(clock.now()),
    before: stateBefore(node),
    ...timeoutOf(plan),
    ...waitEndOf(plan),
    ...(keepsNode && { bootBefore: bootOf(node) }),
    ...(reportsVolumes(node) && { mayHaveVolumes: true }),
    ...(hasTwins && { hasTwins }),
    waitingFor: [],
  } satisfies LeavingMark;
}

/**
 * Cordons the Node, excludes it from load balancers and marks it, in one patch. The notification is sent before: after a pass that is
 * killed in between, the next one sends it again. The mark records whether it was sent.
 */
export async function markNode(context: LeavingContext, input: NodeOfGroup): Promise<Marked> {
  const { plan, node } = input;
  const mark = await notifiedMark(context, input);
  const marked = await patchMark(context, { node, mark });
  recordEvent(context, marked, {
    type: 'Normal',
    reason: 'NodeLeaving',
    message: `its instance leaves (${plan.cause}); pods are evicted until ${mark.until ?? 'none is left'}`,
  });
  return { node: marked, mark };
}

/** The mark of a leave that begins, after the notification was sent. */
export async function notifiedMark(context: LeavingContext, input: NodeOfGroup): Promise<LeavingMark> {
  const mark: LeavingMark = newMark(context, input);
  const isSent = await notifyLeaving(context, { ...input, mark });
  return isSent ? { ...mark, told: ['node-leaving'] } : mark;
}

/**
 * Cordons a Node that waits for its replacement, or for its turn after that, and marks it. Its pods still serve, so it stays in its load
 * balancers, and no notification is sent before its drain begins. A Node that cannot be marked waits all the same.
 */
export async function markAwaiting(
  context: LeavingContext,
  { awaiting, why, ...input }: NodeToMark & Pick<LeavingMark, 'awaiting'> & { readonly why: string },
): Promise<Marked> {
  const { plan, node, mark } = input;
  const now = context.clock.now();
  const waitingFor = [why];
  const isSame =
    mark?.awaiting === awaiting && JSON.stringify(mark?.waitingFor) === JSON.stringify(waitingFor);
  if (mark && isSame && !isRenewalDue(now, mark, plan)) return { node, mark };
  const { until: _, ...first } = newMark(context, input);
  const next: LeavingMark = {
    ...(mark ? { ...mark, cause: plan.cause, renewedAt: iso(now), ...timeoutOf(plan) } : first),
    awaiting,
    waitingFor,
  };
  const marked = await tryPatchMark(context, { node, mark: next });
  if (!mark)
    recordEvent(context, marked, {
      type: 'Normal',
      reason: 'AwaitingReplacement',
      message: `its instance leaves (${plan.cause}); its pods stay until its replacement serves`,
    });
  return { node: marked, mark: next };
}

/** Adds to an older mark that the instance comes back with a new root volume. */
export async function markReturn(context: LeavingContext, { node, mark }: Marked): Promise<Marked> {
  const returning = { ...mark, bootBefore: bootOf(node) };
  return { node: await patchMark(context, { node, mark: returning }), mark: returning };
}

/** Updates the mark if something has changed that matters to an operator, or if a renewal is due. */
export async function updateMark(
  context: LeavingContext,
  {
    node,
    mark,
    plan,
    held,
    hasClaims,
    told = [],
    restarted = [],
    podsForced = 0,
    isEmpty = false,
  }: MarkedByPlan & {
    readonly held: readonly string[];
    readonly hasClaims: boolean;
    /** The notifications that this pass has sent. */
    readonly told?: readonly string[];
    /** The UIDs of the Deployments whose rollout it has restarted. */
    readonly restarted?: readonly string[];
    /** The highest number of any round so far. */
    readonly podsForced?: number;
    /** No pod is left that the drain waits for. */
    readonly isEmpty?: boolean;
  },
): Promise<Node> {
  const now = context.clock.now();
  const podsChanged = waitingPodsChanged(now, mark, held);
  const hasNewClaims = hasClaims && mark.mayHaveVolumes !== true;
  const hasNewTimeout =
    plan.hook !== undefined && plan.hook.heartbeatTimeoutSeconds !== mark.heartbeatTimeoutSeconds;
  const { missingSince, waitEndsAt, emptySince, ...rest } = mark;
  const isFoundAgain = missingSince !== undefined;
  const isEmptiedOrFilled = isEmpty !== (emptySince !== undefined);
  const isForced = podsForced > (mark.podsForced ?? 0);
  const isSame =
    told.length + restarted.length === 0 &&
    !isForced &&
    !isEmptiedOrFilled &&
    !podsChanged &&
    !hasNewClaims &&
    !hasNewTimeout &&
    !isFoundAgain &&
    waitEndOf(plan).waitEndsAt === waitEndsAt &&
    untilOf(plan).until === mark.until;
  if (isSame && !isRenewalDue(now, mark, plan)) return node;
  const updated = await tryPatchMark(context, {
    node,
    mark: {
      ...rest,
      ...untilOf(plan),
      ...timeoutOf(plan),
      ...waitEndOf(plan),
      cause: plan.cause,
      renewedAt: iso(now),
      ...(hasNewClaims && { mayHaveVolumes: true }),
      ...(isForced && { podsForced }),
      ...(isEmpty && { emptySince: emptySince ?? iso(now) }),
      ...(told.length > 0 && { told: [...(mark.told ?? []), ...told] }),
      ...(restarted.length > 0 && {
        restarted: [...(mark.restarted ?? []), ...restarted].slice(-mostRestarted),
      }),
      ...shownPods({ waitingFor: [...held] }),
    },
  });
  if (podsChanged && held.length > 0)
    recordEvent(context, updated, {
      type: 'Warning',
      reason: 'DrainHeld',
      message: `waits for ${held.join(', ')}`,
    });
  return updated;
}

/** Updates the mark of a Node whose pods are gone and that waits for something else. */
export const updateEmptyMark = (context: LeavingContext, state: MarkedByPlan & Drained): Promise<Node> =>
  updateMark(context, {
    ...state,
    held: [],
    isEmpty: true,
    hasClaims: state.podsLeft.some((pod) => claimsOf(pod).length > 0),
  });

/**
 * Writes the time into the mark if a renewal is due, and changes nothing else of the Node. It shows the sweep that passes still work on the
 * wait.
 */
export async function renewMark(context: LeavingContext, marked: MarkedByPlan): Promise<void> {
  const { node, mark, plan } = marked;
  const now = context.clock.now();
  if (isRenewalDue(now, mark, plan))
    await tryPatchMark(context, { node, mark: { ...mark, renewedAt: iso(now) }, patchOf: markPatch });
}

/** A renewal is due as often as a heartbeat. */
const isRenewalDue = (now: number, { renewedAt }: LeavingMark, { hook, deadlines }: LeavePlan): boolean =>
  hook !== undefined &&
  now < deadlines.limit &&
  now >= Date.parse(renewedAt) + heartbeatIntervalSeconds(hook.heartbeatTimeoutSeconds) * 1000;

/** Whether pods are held is written at once, but which pods only every half minute, because each write reaches every watcher of Nodes. */
function waitingPodsChanged(now: number, mark: LeavingMark, held: readonly string[]): boolean {
  const wasHeld = mark.waitingFor.length > 0;
  if (wasHeld !== held.length > 0) return true;
  if (JSON.stringify(shownPods({ waitingFor: [...held] })) === JSON.stringify(shownPods(mark))) return false;
  return now - Date.parse(mark.renewedAt) >= secondsBetweenPodLists * 1000;
}

/** A mark that cannot be renewed does not stop the drain. */
async function tryPatchMark(context: LeavingContext, marked: MarkToWrite): Promise<Node> {
  try {
    return await patchMark(context, marked);
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    context.reportError(`the mark of node ${marked.node.metadata?.name} could not be renewed`, error);
    return marked.node;
  }
}

interface MarkToWrite extends Marked {
  /** Defaults to a patch that also restores the cordon. */
  readonly patchOf?: (node: Node, mark: LeavingMark) => NodePatch | undefined;
}

/** Writes a mark on the Node, and the cordon if something has removed it. */
export async function patchMark(
  context: LeavingContext,
  { node, mark, patchOf = cordonPatch }: MarkToWrite,
): Promise<Node> {
  const patch = patchOf(node, mark);
  if (!patch) return node;
  const patched = await patchNode(context, { instanceId: mark.instanceId, node, patch });
  context.memory.remember(mark.instanceId, { node: patched, hasTwins: mark.hasTwins === true });
  return patched;
}

const untilOf = ({ deadlines: { deadline } }: LeavePlan): Pick<LeavingMark, 'until'> =>
  deadline < Infinity ? { until: iso(deadline) } : {};

const waitEndOf = ({ waitEndsAt }: LeavePlan): Pick<LeavingMark, 'waitEndsAt'> =>
  waitEndsAt === undefined ? {} : { waitEndsAt: iso(waitEndsAt) };

const timeoutOf = ({ hook }: LeavePlan): Pick<LeavingMark, 'heartbeatTimeoutSeconds'> =>
  hook ? { heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds } : {};

const iso = (time: number): string => new Date(time).toISOString();

/**
 * Patches the Node of an instance. It first forgets what is remembered of the instance: a patch without a response may have been applied,
 * and one that is refused may concern another Node of the same name.
 *
 * @returns the Node after the patch; the Node itself if there is nothing to patch.
 * @throws KubernetesError if the API server refuses the patch or does not respond.
 */
export async function patchNode(
  { cluster, memory }: Pick<LeavingContext, 'cluster' | 'memory'>,
  {
    instanceId,
    node,
    patch,
  }: { readonly instanceId: string; readonly node: Node; readonly patch?: NodePatch },
): Promise<Node> {
  if (!patch) return node;
  memory.forget(instanceId);
  return await cluster.patchNode(nameOfNode(node), patch);
}

type State = Started & Leaving & Planned & NodeFound;

/**
 * Cordons and marks the Node before the first pod is evicted, and begins the drain of one that has waited for its replacement. If the patch is denied, or fails until the deadline, the pods are evicted
 * anyway: an eviction that respects the budget does less harm than the end of the instance. The drain timeout then runs from the notice,
 * because no mark shows when the leave began.
 */
export async function markAndCordon(
  context: LeavingContext,
  state: State,
): Promise<Marked & Pick<Planned, 'plan'> & Noted> {
  const { subject, instance, plan, node, hasTwins, mark, keepsNode, notes } = state;
  const waited = mark?.awaiting === undefined ? undefined : mark;
  const begun = waited ? undefined : mark;
  if (begun && (!keepsNode || begun.bootBefore !== undefined)) return { node, mark: begun, plan, notes };
  const { instanceId, autoScalingGroupName } = instance;
  const leave = { subject, instanceId, autoScalingGroupName, node, mark: waited, hasTwins, keepsNode };
  try {
    const marked = begun
      ? await markReturn(context, { node, mark: begun })
      : await markNode(context, { ...leave, plan });
    return { ...marked, plan, notes };
  } catch (error) {
    const fromNotice = planWith(context, state, { since: earliestNotice(state) });
    const isLate = context.clock.now() >= fromNotice.deadlines.deadline;
    if (isAboutAnotherObject(error) || !(isDenied(error) || isLate)) throw error;
    const message = `the node could not be cordoned and marked, its pods are evicted anyway: ${messageOf(error)}`;
    if (!subject.redelivered)
      recordEvent(context, node, { type: 'Warning', reason: 'CordonDenied', message });
    return {
      node,
      mark: await notifiedMark(context, { ...leave, plan: fromNotice }),
      plan: fromNotice,
      notes: [...notes, message],
    };
  }
}

function earliestNotice({ subject: { notices }, plan: { since } }: State): string {
  const times = notices.filter(datesLeave).map(({ noticedAt }) => Date.parse(noticedAt));
  return new Date(Math.min(since, ...times)).toISOString();
}
