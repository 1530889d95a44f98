import type { Node } from 'kubernetes-types/core/v1.d.ts';
import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import {
  longestGlobalTimeoutSeconds,
  longestHeartbeatTimeoutSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../groups/hook-timing.ts';
import { reasonsToLeave } from '../passes/leaving-notice.ts';
import { isNodeReady } from './node-condition.ts';
import { leavingAnnotation } from './node-keys.ts';
import { instanceIdOf } from './node-names.ts';

const time = () => z.iso.datetime();
const text = (maximum: number) => z.string().check(z.maxLength(maximum));
const heartbeatTimeout = () =>
  z.int().check(z.minimum(shortestHeartbeatTimeoutSeconds), z.maximum(longestHeartbeatTimeoutSeconds));
/** Bounds the annotation, because each change of a Node is sent to every watcher of Nodes. */
const maximumLines = 10;
const maximumLineLength = 160;
const maximumLength = 16_384;

const markSchema = lazily(() =>
  z.object({
    cause: z.enum(reasonsToLeave),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    /** When the Node was marked, or, if its replacement was awaited first, when its drain began. The drain timeout runs from here. */
    since: time(),
    /** The drain has not begun: the node is cordoned and waits for its replacement, or, once that serves, for its turn. */
    awaiting: z.optional(z.enum(['replacement', 'turn'])),
    /** A roll had marked the Node. Its instance cannot return, so what the roll asked for outlives the roll. */
    ofRoll: z.optional(z.boolean()),
    /** When the Node was marked, if its replacement was awaited before the drain. */
    awaitedSince: z.optional(time()),
    /** The shortest timeout that the hook had in this wait: AWS does not document which timeout applies after a change. */
    heartbeatTimeoutSeconds: z.optional(heartbeatTimeout()),
    /** When the pods that are left are deleted; undefined without a deadline. */
    until: z.optional(time()),
    /** When a pass last renewed the mark, like the holder of a Lease. The sweep sends a message for a wait whose mark is old. */
    renewedAt: time(),
    /** Volumes were attached, or pods had claims. Then the VolumeAttachments are listed, because the Node's status shows too little. */
    mayHaveVolumes: z.optional(z.boolean()),
    /** Since when its pods are gone and it waits for volumes or load balancers. Volumes are waited for five minutes. */
    emptySince: z.optional(time()),
    /** Other Nodes had the same providerID when this one was marked. They are drained after it. */
    hasTwins: z.optional(z.boolean()),
    /** When a pass last found that something else had uncordoned the Node, and cordoned it again. */
    uncordonedAt: z.optional(time()),
    /** When the wait ends by itself, because the group has lost the tag of the cluster and AWS denies Drover's calls. */
    waitEndsAt: z.optional(time()),
    /** When the instance was first found missing. */
    missingSince: z.optional(time()),
    /** What the Node had before the mark, so that an uncordon removes only what Drover set. */
    before: z.object({ unschedulable: z.boolean(), excludedFromLoadBalancers: z.boolean() }),
    /** The boot id of the machine, if a new root volume is about to replace the one that it booted from. */
    bootBefore: z.optional(text(128)),
    /** The notifications of this leave that EventBridge has accepted. */
    told: z.optional(z.array(text(64)).check(z.maxLength(20))),
    /** How many pods a round has deleted past their budgets, so that a later round can notify it. */
    podsForced: z.optional(z.int().check(z.positive())),
    /** The UIDs of the Deployments whose rollout was restarted for this leave: something may undo that, and it is not repeated. */
    restarted: z.optional(z.array(text(64)).check(z.maxLength(50))),
    /** The first held pods, each as `namespace/pod (reason)`. */
    waitingFor: z.array(text(maximumLineLength)).check(z.maxLength(maximumLines)),
    /** How many more pods are held. */
    andMore: z.optional(z.int().check(z.nonnegative())),
  }),
);

/** The annotation of a leaving Node, readable with `kubectl describe node`. Times are ISO 8601 in UTC. */
export type LeavingMark = Readonly<z.infer<ReturnType<typeof markSchema>>>;

/** A mark this long past its deadline counts as left behind. */
export const leftoverAfterSeconds = 300;

/** What the annotation shows of the held pods: the first ten, each shortened, and the number of the rest. */
export function shownPods({
  waitingFor,
  andMore = 0,
}: Pick<LeavingMark, 'waitingFor' | 'andMore'>): Required<Pick<LeavingMark, 'waitingFor' | 'andMore'>> {
  const lines = waitingFor.slice(0, maximumLines).map(shorten);
  return { waitingFor: lines, andMore: waitingFor.length - lines.length + andMore };
}

/** The annotation's value. */
export function formatLeavingMark(mark: LeavingMark): string {
  const { andMore: _, ...rest } = mark;
  const { waitingFor, andMore } = shownPods(mark);
  return JSON.stringify({ ...rest, waitingFor, ...(andMore > 0 && { andMore }) });
}

const shorten = (line: string): string =>
  line.length <= maximumLineLength ? line : `${line.slice(0, maximumLineLength - 1)}…`;

/** Parses the value of the annotation; undefined if it is not a mark of Drover. */
export function parseLeavingMark(value: string): LeavingMark | undefined {
  if (value.length > maximumLength) return undefined;
  const result = z.safeParse(markSchema(), withRenewedAt(parseJson(value)));
  return result.success ? result.data : undefined;
}

/** Drover 0.1 wrote `lastSignAt`. Its marks are read until 0.3, so that an upgrade during a drain loses nothing. */
const withRenewedAt = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'lastSignAt' in value
    ? { renewedAt: value.lastSignAt, ...value }
    : value;

/** The mark in the annotations of a Node. */
export function readLeavingMark(
  annotations: Readonly<Record<string, string>> | undefined,
): LeavingMark | undefined {
  const value = annotations?.[leavingAnnotation];
  return value === undefined ? undefined : parseLeavingMark(value);
}

/** More than the clocks of two environments of a function differ. */
const skewMilliseconds = 60_000;

/**
 * The mark of a Node, as far as Drover could have written it by now. RBAC and NodeRestriction let a kubelet edit the annotations of its own
 * Node. So a time is believed only if it fits the Node and the clock: a mark that could move its own deadline would hold a drain, or hide a
 * lost message from the sweep. A kubelet that sets `since` to the current time in every pass still holds its drain until the hook ends it.
 *
 * @param facts.startedAt when the leave began, in epoch milliseconds, for a mark without a believable beginning; defaults to the creation of
 * the Node, so that the mark counts as old.
 * @returns undefined if there is no mark, or if it names another instance than the providerID of the Node.
 */
export function believedMarkOf(node: MarkedNode, facts: MarkFacts): LeavingMark | undefined {
  const mark = readLeavingMark(node.metadata?.annotations);
  return mark && !namesAnother(mark, node) ? withBelievedTimes(mark, node, facts) : undefined;
}

/**
 * The mark of a Node that names another instance than its providerID: something has edited it. It says nothing of a leave, and the Node
 * must not stay cordoned for it.
 */
export function strangeMarkOf(node: MarkedNode, facts: MarkFacts): LeavingMark | undefined {
  const mark = readLeavingMark(node.metadata?.annotations);
  return mark && namesAnother(mark, node) ? withBelievedTimes(mark, node, facts) : undefined;
}

type MarkedNode = Pick<Node, 'metadata' | 'spec'>;
interface MarkFacts {
  readonly now: number;
  readonly startedAt?: number | undefined;
}

const namesAnother = ({ instanceId }: LeavingMark, { spec }: MarkedNode): boolean =>
  instanceId !== (instanceIdOf(spec?.providerID) ?? instanceId);

function withBelievedTimes(
  mark: LeavingMark,
  { metadata }: MarkedNode,
  { now, startedAt }: MarkFacts,
): LeavingMark {
  const {
    since,
    renewedAt,
    until,
    awaitedSince,
    waitEndsAt,
    emptySince,
    uncordonedAt,
    missingSince,
    ...rest
  } = mark;
  const createdAt = Date.parse(metadata?.creationTimestamp ?? '') || 0;
  const latest = now + skewMilliseconds;
  const isPast = (time: string): boolean => Date.parse(time) <= latest;
  const claimed = isPast(since) ? Date.parse(since) : Math.min(startedAt ?? createdAt, now);
  const beganAt = Math.max(claimed, Math.min(createdAt, now));
  const fits = (time: string | undefined, end: number): boolean =>
    time !== undefined && Date.parse(time) >= beganAt && Date.parse(time) <= end;
  return {
    ...rest,
    since: beganAt === Date.parse(since) ? since : new Date(beganAt).toISOString(),
    renewedAt: isPast(renewedAt) ? renewedAt : new Date(beganAt).toISOString(),
    // A drain timeout has the same longest duration as a wait on a hook.
    ...(until !== undefined &&
      Date.parse(until) <= beganAt + longestGlobalTimeoutSeconds * 1000 && { until }),
    ...(awaitedSince !== undefined &&
      Date.parse(awaitedSince) >= Math.min(createdAt, now) &&
      Date.parse(awaitedSince) <= beganAt && { awaitedSince }),
    ...(fits(waitEndsAt, latest + longestHeartbeatTimeoutSeconds * 1000) && { waitEndsAt }),
    ...(fits(emptySince, latest) && { emptySince }),
    ...(fits(uncordonedAt, latest) && { uncordonedAt }),
    ...(fits(missingSince, latest) && { missingSince }),
  };
}

/**
 * Whether the Node of an instance with a new root volume has joined again. Ready may still be the last report from before the reboot, so
 * a different boot is required if the first one is known. A refresh that was cancelled may never reboot the instance: minutes after the
 * last renewal of the mark, Ready is enough.
 */
export function hasReturned(
  node: Node,
  { bootBefore, renewedAt }: Pick<LeavingMark, 'bootBefore' | 'renewedAt'>,
  now: number,
): boolean {
  if (!isNodeReady(node)) return false;
  if (bootBefore === '' || bootOf(node) !== bootBefore) return true;
  return now >= Date.parse(renewedAt) + leftoverAfterSeconds * 1000;
}

/** The boot id of the machine; empty if the Node does not report it. */
export const bootOf = (node: Node): string => node.status?.nodeInfo?.bootID ?? '';
