import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { identityOf, isDaemonSetPod, isFinished, isMirrorPod, terminatesAt } from './pod-facts.ts';

/** The annotation of a pod by which it asks not to be disrupted. */
export interface DisruptionRequest {
  /** As `key=value`. */
  readonly annotation: string;
  /** Epoch milliseconds at which it asks no longer; undefined if it asks for as long as it runs. */
  readonly until?: number;
}

const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const doNotDisrupt = 'karpenter.sh/do-not-disrupt';

/**
 * Whether a pod asks now not to be disrupted, by the rules of the autoscalers that its annotations are from:
 * - cluster-autoscaler compares `safe-to-evict` with the text `false` (utils/drain/drain.go);
 * - Karpenter compares `do-not-disrupt` with the text `true`, and since 1.12 takes a positive duration of Go from `status.startTime`
 *   (pkg/utils/pod/scheduling.go, kubernetes-sigs/karpenter#2874).
 *
 * Like its owner, it takes any other text as if the annotation were absent. Pure.
 *
 * @param now epoch milliseconds
 */
export function disruptionRequestOf(pod: Pod, now: number): DisruptionRequest | undefined {
  const request = requestOf(pod);
  return request && now < (request.until ?? Infinity) ? request : undefined;
}

/** Also one that has ended. */
function requestOf(pod: Pod): DisruptionRequest | undefined {
  const { [safeToEvict]: safe, [doNotDisrupt]: keep } = pod.metadata?.annotations ?? {};
  if (safe === 'false') return { annotation: `${safeToEvict}=false` };
  if (keep === undefined) return undefined;
  const end = endOfDoNotDisrupt(keep, pod);
  if (end === undefined) return undefined;
  return { annotation: `${doNotDisrupt}=${keep}`, ...(end < Infinity && { until: end }) };
}

/** Infinity for a pod that has not started: it has all of its time before it. */
function endOfDoNotDisrupt(text: string, { status }: Pod): number | undefined {
  if (text === 'true') return Infinity;
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined || milliseconds <= 0) return undefined;
  const startedAt = Date.parse(status?.startTime ?? '');
  return Number.isNaN(startedAt) ? Infinity : startedAt + milliseconds;
}

/** A pod whose request is honoured. */
export interface DisruptionHold {
  /** `namespace/name` */
  readonly pod: string;
  readonly uid: string;
  /** As `key=value`. */
  readonly annotation: string;
  /** Until when it is honoured, in epoch milliseconds. */
  readonly until: number;
}

interface HonouredFor {
  /** Since when the disruption is due, in epoch milliseconds. */
  readonly since: number;
  /** For how long from then requests are honoured. */
  readonly timeoutSeconds: number;
}

/**
 * The requests of these pods, each until it ends by itself or the timeout is over; also those that have ended. A pod that has finished or is
 * terminating holds nothing. Nor do pods of DaemonSets and static pods: they stay to the end, as with cluster-autoscaler. Pure.
 */
export function disruptionHolds(
  pods: readonly Pod[],
  { since, timeoutSeconds }: HonouredFor,
): readonly DisruptionHold[] {
  const latest = since + timeoutSeconds * 1000;
  return pods.filter(mayHold).flatMap((pod) => {
    const request = requestOf(pod);
    if (request === undefined) return [];
    const { namespace, name, uid } = identityOf(pod);
    const { annotation, until = Infinity } = request;
    return [{ pod: `${namespace}/${name}`, uid, annotation, until: Math.min(latest, until) }];
  });
}

const mayHold = (pod: Pod): boolean =>
  !isFinished(pod) && terminatesAt(pod) === undefined && !isDaemonSetPod(pod) && !isMirrorPod(pod);

/** Annotations that hold nothing because their owner cannot read them, in words for the operator. Pure. */
export const unreadAnnotations = (pods: readonly Pod[]): readonly string[] =>
  pods.filter(mayHold).flatMap((pod) => {
    const { namespace, name } = identityOf(pod);
    const { [safeToEvict]: safe, [doNotDisrupt]: keep } = pod.metadata?.annotations ?? {};
    const unread = (key: string, text: string, allowed: string): string =>
      `annotation ${key} of ${namespace}/${name} has no effect: ${JSON.stringify(text.slice(0, 32))} is not ${allowed}`;
    const isSafeRead = safe === undefined || safe === 'true' || safe === 'false';
    const isKeepRead = keep === undefined || keep === 'false' || endOfDoNotDisrupt(keep, pod) !== undefined;
    return [
      ...(isSafeRead ? [] : [unread(safeToEvict, safe, 'true or false')]),
      ...(isKeepRead ? [] : [unread(doNotDisrupt, keep, 'true or a duration such as 90m')]),
    ];
  });

/** The hold that ends last, if one has not ended. Pure. */
export const lastHold = (holds: readonly DisruptionHold[], now: number): DisruptionHold | undefined =>
  holds.filter(({ until }) => until > now).toSorted((one, other) => other.until - one.until)[0];

/** `held by annotation of jobs/import until 2026-11-21T14:05Z` */
export const describeHold = ({ pod, until }: Pick<DisruptionHold, 'pod' | 'until'>): string =>
  `held by annotation of ${pod} until ${minuteOf(until)}`;

/** As the reason of one pod: `annotation karpenter.sh/do-not-disrupt=2h until 2026-11-21T14:05Z`. */
export const describeAnnotation = ({ annotation, until }: DisruptionHold): string =>
  `annotation ${annotation} until ${minuteOf(until)}`;

/** A time in the middle of a minute is shown as the next minute, at which the hold has ended. */
export const minuteOf = (time: number): string =>
  `${new Date(Math.ceil(time / 60_000) * 60_000).toISOString().slice(0, 16)}Z`;

const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const longestText = 64;
/** 290 years: Go's durations are 64-bit numbers of nanoseconds, and it refuses longer ones. */
const longestMilliseconds = 2 ** 63 / 1e6;

/**
 * Parses a duration as Go's time.ParseDuration does: a sign, and numbers with units from `ns` to `h`. There is no unit of a day, no blank,
 * and without a unit only `0`. Pure.
 *
 * @returns milliseconds, negative with a minus; undefined for any other text.
 */
export function parseGoDuration(text: string): number | undefined {
  if (text.length > longestText) return undefined;
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const factor = sign === '-' ? -1 : 1;
  if (rest === '0') return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|[smh]))+$/.test(rest)) return undefined;
  const parts = rest.matchAll(/(?<![\d.])([\d.]+)([a-zµμ]+)/g);
  const sum = [...parts].reduce(
    (total, [, count, unit = '']) => total + Number(count) * (unitMilliseconds[unit] ?? 0),
    0,
  );
  return sum < longestMilliseconds ? factor * sum : undefined;
}
