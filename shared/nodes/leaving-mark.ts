import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { leavingCauses } from '../passes/leaving-notice.ts';
import { leavingAnnotation } from './node-keys.ts';

const time = () => z.iso.datetime();

const markSchema = lazily(() =>
  z.object({
    cause: z.enum(leavingCauses),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    /** When the Node was marked: the drain timeout runs from here. */
    since: time(),
    /** The shortest timeout that the hook had in this wait: it may be changed, and AWS does not say which one then holds. */
    heartbeatTimeoutSeconds: z.optional(z.int().check(z.positive())),
    /** When the pods that are left are deleted; absent: there is no deadline. */
    until: z.optional(time()),
    /** When a pass last renewed the mark, as the holder of a Lease does. The sweep sends a message for a wait whose mark is old. */
    renewedAt: time(),
    /** Volumes were attached, or pods had claims: their VolumeAttachments are listed, since the Node's status tells too little. */
    mayHaveVolumes: z.optional(z.boolean()),
    /** Other Nodes named the instance when this one was marked: they are drained after it. */
    hasTwins: z.optional(z.boolean()),
    /** When the instance was first found missing. */
    missingSince: z.optional(time()),
    /** What the Node had before the mark, so that an uncordon takes back only what is ours. */
    before: z.object({ unschedulable: z.boolean(), excludedFromLoadBalancers: z.boolean() }),
    /** The boot of the Node's machine; present where a new root volume is to replace the one that it booted from. */
    bootBefore: z.optional(z.string()),
    /** The notifications of this leave that EventBridge has. */
    told: z.optional(z.array(z.string())),
    /** How many pods a round has deleted past their budgets, so that a later one can tell it. */
    podsForced: z.optional(z.int().check(z.positive())),
    /** `namespace/pod (reason)`, the first few. */
    waitingFor: z.array(z.string()),
    /** How many more it waits for. */
    andMore: z.optional(z.int().check(z.nonnegative())),
  }),
);

/** What a leaving Node carries, readable with `kubectl describe node`. Times are ISO 8601 in UTC. */
export type LeavingMark = Readonly<z.infer<ReturnType<typeof markSchema>>>;

/** A mark this long past its deadline counts as left behind. */
export const leftoverAfterSeconds = 300;

/** Bounds the annotation: a Node is read by every kubelet-watcher of the cluster. */
const maximumLines = 10;
const maximumLineLength = 160;

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

/** Reads the annotation's value; undefined for one that is not of this form, which is then no mark of ours. */
export function parseLeavingMark(value: string): LeavingMark | undefined {
  const result = z.safeParse(markSchema(), withRenewedAt(parseJson(value)));
  return result.success ? result.data : undefined;
}

/** Drover 0.1 wrote `lastSignAt`; its marks are read until 0.3, so that an upgrade in mid-drain forgets nothing. */
const withRenewedAt = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'lastSignAt' in value
    ? { renewedAt: value.lastSignAt, ...value }
    : value;

/** The mark among a Node's annotations. */
export function readLeavingMark(
  annotations: Readonly<Record<string, string>> | undefined,
): LeavingMark | undefined {
  const value = annotations?.[leavingAnnotation];
  return value === undefined ? undefined : parseLeavingMark(value);
}
