import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { DrainAction, DrainPlan } from '../draining/plan-drain.ts';
import type { NodeEvent } from '../nodes/cluster.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import { identityOfNode } from '../nodes/node-names.ts';
import type { NotificationKind } from '../notifications/notification.ts';
import type { Leaving, LeavingContext, LeavingSubject, Marked, Planned, Started } from './context.ts';
import type { LeavePlan } from './leave-plan.ts';

interface NodeNotification {
  readonly kind: NotificationKind;
  readonly node: Node;
  /** The part of the mark that identifies the leave in every pass. */
  readonly mark: Pick<LeavingMark, 'instanceId' | 'since'> & Partial<Pick<LeavingMark, 'cause' | 'until'>>;
  /** What happened to the node: the rest of a sentence that begins with its name. */
  readonly what: string;
  readonly autoScalingGroupName?: string | undefined;
  readonly reasons?: readonly string[];
}

/** Sends a notification about a leaving node. True if EventBridge has accepted it, so that the mark can record it. */
export async function notifyOfNode(
  context: Pick<LeavingContext, 'notify'>,
  { kind, node, mark, what, autoScalingGroupName, reasons }: NodeNotification,
): Promise<boolean> {
  const { name: nodeName, uid } = identityOfNode(node);
  const result = await context.notify({
    kind,
    occurrence: `${uid}/${mark.since}`,
    message: `node ${nodeName} ${what}`,
    facts: {
      ...(autoScalingGroupName !== undefined && { autoScalingGroupName }),
      instanceId: mark.instanceId,
      nodeName,
      ...(mark.cause !== undefined && { cause: mark.cause }),
      ...(mark.until !== undefined && { deadline: mark.until }),
      ...(reasons && { reasons }),
    },
  });
  return result === 'sent';
}

export interface LeaveBegun {
  readonly subject: Pick<LeavingSubject, 'notices'>;
  readonly plan: Pick<LeavePlan, 'cause'>;
  readonly node: Node;
  readonly mark: LeavingMark;
  readonly autoScalingGroupName: string;
}

/**
 * Notifies that a node leaves. The time of the first notice identifies the occurrence, because a pass that is killed before it writes the
 * mark has no other time that the next one knows too.
 */
export async function notifyLeaving(
  context: Pick<LeavingContext, 'notify'>,
  { subject, plan: { cause }, node, mark, autoScalingGroupName }: LeaveBegun,
): Promise<boolean> {
  const noticedAt = Math.min(...subject.notices.map((notice) => Date.parse(notice.noticedAt)));
  const until = mark.until === undefined ? '' : `, by ${mark.until} at the latest`;
  return await notifyOfNode(context, {
    kind: 'node-leaving',
    node,
    mark: { ...mark, since: new Date(noticedAt).toISOString() },
    what: `leaves (${cause})${until}`,
    autoScalingGroupName,
  });
}

type State = Started & Leaving & Planned & Marked;

/** The kinds of notifications that EventBridge has accepted. */
type Sent = readonly string[];

/**
 * Sends the notifications that are due before a round: that the node leaves, and that pods are deleted past their budgets, in this round
 * or in an earlier one that could not send it.
 */
export async function notifyBeforeRound(
  context: LeavingContext,
  state: State,
  { actions, complete }: Pick<DrainPlan, 'actions' | 'complete'>,
): Promise<{ readonly sent: Sent; readonly podsForced: number }> {
  const { node, mark, instance } = state;
  const { autoScalingGroupName } = instance;
  const deletions = actions.filter(({ kind }) => kind === 'delete');
  const podsForced = Math.max(deletions.length, mark.podsForced ?? 0);
  const results = await Promise.all(
    dueBeforeRound({ mark, podsForced, isEmpty: complete }).map(async (kind) => {
      const isSent =
        kind === 'node-leaving'
          ? await notifyLeaving(context, { ...state, autoScalingGroupName })
          : await notifyOfNode(context, {
              kind,
              node,
              mark,
              what: `has reached its deadline: ${podCount(podsForced)} deleted past the budgets, with the grace that fits`,
              autoScalingGroupName,
              reasons: deletions.map((one) => shownPod(one, mark)),
            });
      return isSent ? [kind] : [];
    }),
  );
  return { sent: results.flat(), podsForced };
}

const podCount = (count: number): string => (count === 1 ? 'one pod is' : `${count} pods are`);

/** The pod as the mark shows it, with what has held it until now. */
function shownPod({ pod }: DrainAction, { waitingFor }: Marked['mark']): string {
  const name = `${pod.namespace}/${pod.name}`;
  return waitingFor.find((line) => line.startsWith(`${name} `)) ?? name;
}

/** Notifies, once in a leave, that pods have been held for longer than the configured time. */
export async function notifyHeld(
  context: LeavingContext,
  { node, mark, instance }: State,
  held: readonly string[],
): Promise<Sent> {
  const heldAfterSeconds = context.settings.notifyHeldAfterSeconds;
  const due = dueAfterRound({ now: context.clock.now(), mark, podsHeld: held.length, heldAfterSeconds });
  if (due.length === 0) return [];
  const isSent = await notifyOfNode(context, {
    kind: 'drain-held',
    node,
    mark,
    what: `still waits for held pods, the first is ${held[0]}`,
    autoScalingGroupName: instance.autoScalingGroupName,
    reasons: held,
  });
  return isSent ? due : [];
}

interface BeforeRound {
  readonly mark: Pick<LeavingMark, 'told'>;
  /** Pods that this round, or an earlier one, deletes past their budgets. */
  readonly podsForced: number;
  /** No pod is left to wait for: the leave is about to end, which has a notification of its own. */
  readonly isEmpty: boolean;
}

/** The notifications that are due before a round over the pods of a node, without those already sent. Pure. */
export function dueBeforeRound({
  mark,
  podsForced,
  isEmpty,
}: BeforeRound): readonly ('node-leaving' | 'drain-forced')[] {
  const due = [
    // EventBridge may have been unavailable when the leave began.
    ...(isEmpty ? [] : (['node-leaving'] as const)),
    ...(podsForced > 0 ? (['drain-forced'] as const) : []),
  ] as const;
  return due.filter((one) => !wasSent(mark, one));
}

interface AfterRound {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly mark: Pick<LeavingMark, 'since' | 'told'>;
  /** Pods that do not go by themselves. */
  readonly podsHeld: number;
  readonly heldAfterSeconds: number;
}

/** The notifications that are due after a round, which shows what is held. Pure. */
export function dueAfterRound({
  now,
  mark,
  podsHeld,
  heldAfterSeconds,
}: AfterRound): readonly 'drain-held'[] {
  const isHeldForLong = podsHeld > 0 && now - Date.parse(mark.since) >= heldAfterSeconds * 1000;
  return isHeldForLong && !wasSent(mark, 'drain-held') ? ['drain-held'] : [];
}

const wasSent = ({ told }: Pick<LeavingMark, 'told'>, kind: string): boolean => told?.includes(kind) === true;

/**
 * Starts to record an Event on the Node, for `kubectl describe node`. An Event that fails or takes long neither fails nor delays the drain.
 */
export function recordEvent(
  { cluster, events, reportError }: LeavingContext,
  node: Node,
  event: Omit<NodeEvent, 'node'>,
): void {
  const { name, uid } = identityOfNode(node);
  const recording = cluster
    .recordEvent({ ...event, node: { name, uid } })
    .catch((error: unknown) =>
      reportError(`the Event ${event.reason} could not be recorded on node ${name}`, error),
    );
  events.push(recording);
}
