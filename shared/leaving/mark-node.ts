import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { cordonPatch, stateBefore } from '../draining/cordon.ts';
import { nextHeartbeatAt } from '../groups/hook-timing.ts';
import { type LeavingMark, shownPods } from '../nodes/leaving-mark.ts';
import type { LeavingContext } from './context.ts';
import type { LeavePlan } from './leave-plan.ts';
import { patchNode } from './patch-node.ts';
import { recordEvent } from './record-event.ts';
import { bootOf } from './returned-node.ts';
import type { Drained, Marked } from './state.ts';
import { type LeaveBegun, tellLeaving } from './tell.ts';
import { claimsOf, reportsVolumes } from './volumes.ts';

const secondsBetweenPodLists = 30;

type MarkedByPlan = Marked & { readonly plan: LeavePlan };

interface NodeToMark {
  readonly instanceId: string;
  readonly plan: LeavePlan;
  readonly node: Node;
  readonly hasTwins?: boolean | undefined;
  readonly keepsNode?: boolean;
}

interface NodeOfGroup extends NodeToMark, Pick<LeaveBegun, 'subject' | 'autoScalingGroupName'> {}

/** The mark of a leave that begins. */
function newMark(
  { clock }: Pick<LeavingContext, 'clock'>,
  { instanceId, plan, node, hasTwins, keepsNode = false }: NodeToMark,
) {
  return {
    cause: plan.cause,
    instanceId,
    since: iso(plan.since),
    ...untilOf(plan),
    renewedAt: iso(clock.now()),
    before: stateBefore(node),
    ...timeoutOf(plan),
    ...(keepsNode && { bootBefore: bootOf(node) }),
    ...(reportsVolumes(node) && { mayHaveVolumes: true }),
    ...(hasTwins && { hasTwins }),
    waitingFor: [],
  } satisfies LeavingMark;
}

/**
 * Cordon, load-balancer exclusion and our mark, in one patch. People are told before, so that a pass that is killed in between tells it
 * again, and the mark says whether they were.
 */
export async function markNode(context: LeavingContext, input: NodeOfGroup): Promise<Marked> {
  const { plan, node } = input;
  const mark = await toldMark(context, input);
  const marked = await patchMark(context, { node, mark });
  recordEvent(context, marked, {
    type: 'Normal',
    reason: 'NodeLeaving',
    message: `its instance leaves (${plan.cause}); pods are evicted until ${mark.until ?? 'none is left'}`,
  });
  return { node: marked, mark };
}

/** The mark of a leave that begins, after people were told. */
export async function toldMark(context: LeavingContext, input: NodeOfGroup): Promise<LeavingMark> {
  const mark: LeavingMark = newMark(context, input);
  const isTold = await tellLeaving(context, { ...input, mark });
  return isTold ? { ...mark, told: ['node-leaving'] } : mark;
}

/** Writes into an older mark that the instance comes back with a new root volume. */
export async function markReturn(context: LeavingContext, { node, mark }: Marked): Promise<Marked> {
  const returning = { ...mark, bootBefore: bootOf(node) };
  return { node: await patchMark(context, { node, mark: returning }), mark: returning };
}

/** Updates the mark if something has changed that an operator would look for, or if a renewal is due. */
export async function updateMark(
  context: LeavingContext,
  {
    node,
    mark,
    plan,
    held,
    hasClaims,
    told = [],
    podsForced = 0,
  }: MarkedByPlan & {
    readonly held: readonly string[];
    readonly hasClaims: boolean;
    /** What this pass has told people. */
    readonly told?: readonly string[];
    /** Of this round and of those before: the most. */
    readonly podsForced?: number;
  },
): Promise<Node> {
  const now = context.clock.now();
  const podsChanged = waitingPodsChanged(now, mark, held);
  const hasNewClaims = hasClaims && mark.mayHaveVolumes !== true;
  const hasNewTimeout =
    plan.hook !== undefined && plan.hook.heartbeatTimeoutSeconds !== mark.heartbeatTimeoutSeconds;
  const { missingSince, ...rest } = mark;
  const isFoundAgain = missingSince !== undefined;
  const isForced = podsForced > (mark.podsForced ?? 0);
  const isSame =
    told.length === 0 &&
    !isForced &&
    !podsChanged &&
    !hasNewClaims &&
    !hasNewTimeout &&
    !isFoundAgain &&
    untilOf(plan).until === mark.until;
  if (isSame && !isRenewalDue(now, mark, plan)) return node;
  const updated = await tryPatchMark(context, {
    node,
    mark: {
      ...rest,
      ...untilOf(plan),
      ...timeoutOf(plan),
      cause: plan.cause,
      renewedAt: iso(now),
      ...(hasNewClaims && { mayHaveVolumes: true }),
      ...(isForced && { podsForced }),
      ...(told.length > 0 && { told: [...(mark.told ?? []), ...told] }),
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

/** The mark of a Node whose pods have gone, and that waits for something else. */
export const updateEmptyMark = (context: LeavingContext, state: MarkedByPlan & Drained): Promise<Node> =>
  updateMark(context, {
    ...state,
    held: [],
    hasClaims: state.podsLeft.some((pod) => claimsOf(pod).length > 0),
  });

/** Writes the time into the mark if a renewal is due, which shows the sweep that passes still work on the wait. */
export async function renewMark(context: LeavingContext, marked: MarkedByPlan): Promise<void> {
  const { node, mark, plan } = marked;
  const now = context.clock.now();
  if (isRenewalDue(now, mark, plan))
    await tryPatchMark(context, { node, mark: { ...mark, renewedAt: iso(now) } });
}

/** As often as a heartbeat: a third of the hook's timeout after the last renewal. */
const isRenewalDue = (now: number, { renewedAt }: LeavingMark, { hook, deadlines }: LeavePlan): boolean =>
  hook !== undefined &&
  now < deadlines.limit &&
  now >= nextHeartbeatAt({ ...hook, lastHeartbeatAt: Date.parse(renewedAt) });

/** Whether pods are held is written at once; which pods, every half minute, since each write reaches every watcher of Nodes. */
function waitingPodsChanged(now: number, mark: LeavingMark, held: readonly string[]): boolean {
  const wasHeld = mark.waitingFor.length > 0;
  if (wasHeld !== held.length > 0) return true;
  if (JSON.stringify(shownPods({ waitingFor: [...held] })) === JSON.stringify(shownPods(mark))) return false;
  return now - Date.parse(mark.renewedAt) >= secondsBetweenPodLists * 1000;
}

/** A mark that cannot be renewed does not keep a pass from its drain: neither from its evictions nor from its end. */
async function tryPatchMark(context: LeavingContext, marked: Marked): Promise<Node> {
  try {
    return await patchMark(context, marked);
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    context.reportError(`the mark of node ${marked.node.metadata?.name} could not be renewed`, error);
    return marked.node;
  }
}

async function patchMark(context: LeavingContext, { node, mark }: Marked): Promise<Node> {
  const patch = cordonPatch(node, mark);
  if (!patch) return node;
  const patched = await patchNode(context, { instanceId: mark.instanceId, node, patch });
  context.memory.remember(mark.instanceId, { node: patched, hasTwins: mark.hasTwins === true });
  return patched;
}

const untilOf = ({ deadlines: { deadline } }: LeavePlan): Pick<LeavingMark, 'until'> =>
  deadline < Infinity ? { until: iso(deadline) } : {};

const timeoutOf = ({ hook }: LeavePlan): Pick<LeavingMark, 'heartbeatTimeoutSeconds'> =>
  hook ? { heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds } : {};

const iso = (time: number): string => new Date(time).toISOString();
