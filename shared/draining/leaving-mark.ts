import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { leavingCauses } from '../lifecycle/notice.ts';
import { leavingAnnotation } from './node-keys.ts';

const time = () => z.iso.datetime();

const markSchema = lazily(() =>
  z.object({
    cause: z.enum(leavingCauses),
    instanceId: z.string().check(z.regex(/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/)),
    /** The first notice. */
    since: time(),
    /** When what is left is deleted; absent: nobody set a limit. */
    until: z.optional(time()),
    /** The last pass that left a trace. */
    lastSignAt: time(),
    /** The last heartbeat that Auto Scaling took. */
    lastBeatAt: z.optional(time()),
    /** Volumes hung on it, or its pods had claims: that they are detached is asked for, not read from its status. */
    mayHaveVolumes: z.optional(z.boolean()),
    /** When the instance was first found missing. */
    missingSince: z.optional(time()),
    /** What the Node had before us, so that an un-cordon takes back only what is ours. */
    before: z.object({ unschedulable: z.boolean(), excludedFromLoadBalancers: z.boolean() }),
    /** `namespace/pod (reason)`, the first few. */
    waitingFor: z.array(z.string()),
    /** How many more it waits for. */
    andMore: z.optional(z.int().check(z.nonnegative())),
  }),
);

/** What a leaving Node carries, readable with `kubectl describe node`. Times are ISO 8601 in UTC. */
export type LeavingMark = Readonly<z.infer<ReturnType<typeof markSchema>>>;

/** Bounds the annotation: a Node is read by every kubelet-watcher of the cluster. */
const maximumLines = 10;
const maximumLineLength = 160;

/** The annotation's value: at most ten of the pods that are waited for, each shortened, and the number of the rest. */
export function formatLeavingMark(mark: LeavingMark): string {
  const lines = mark.waitingFor.slice(0, maximumLines).map(shorten);
  const more = mark.waitingFor.length - lines.length + (mark.andMore ?? 0);
  const { andMore: _, ...rest } = mark;
  return JSON.stringify({ ...rest, waitingFor: lines, ...(more > 0 && { andMore: more }) });
}

const shorten = (line: string): string =>
  line.length <= maximumLineLength ? line : `${line.slice(0, maximumLineLength - 1)}…`;

/** Reads the annotation's value; undefined for one that is not of this form, which is then no mark of ours. */
export function parseLeavingMark(value: string): LeavingMark | undefined {
  const result = z.safeParse(markSchema(), parseJson(value));
  return result.success ? result.data : undefined;
}

/** The mark among a Node's annotations. */
export function readLeavingMark(
  annotations: Readonly<Record<string, string>> | undefined,
): LeavingMark | undefined {
  const value = annotations?.[leavingAnnotation];
  return value === undefined ? undefined : parseLeavingMark(value);
}
