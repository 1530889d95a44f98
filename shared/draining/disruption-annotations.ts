import type { Pod } from 'kubernetes-types/core/v1.d.ts';

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
 * Whether a pod asks now not to be disrupted, by the rules of the autoscalers that its annotations are from: `safe-to-evict` is exactly `false`
 * (cluster-autoscaler, simulator/drain.go), and `do-not-disrupt` is `true` or a duration of Go from the start of the pod (Karpenter,
 * pkg/utils/pod/scheduling.go). Like Karpenter, a value that is neither is ignored.
 *
 * @param now epoch milliseconds
 */
export function disruptionRequestOf({ metadata, status }: Pod, now: number): DisruptionRequest | undefined {
  const { [safeToEvict]: safe, [doNotDisrupt]: disrupt } = metadata?.annotations ?? {};
  if (safe === 'false') return { annotation: `${safeToEvict}=false` };
  if (disrupt === undefined) return undefined;
  const annotation = `${doNotDisrupt}=${disrupt}`;
  if (disrupt === 'true') return { annotation };
  const milliseconds = goDuration(disrupt);
  if (milliseconds === undefined || milliseconds <= 0) return undefined;
  const startedAt = Date.parse(status?.startTime ?? '');
  // A pod that has not started yet has all of its time before it.
  if (Number.isNaN(startedAt)) return { annotation };
  const until = startedAt + milliseconds;
  return now < until ? { annotation, until } : undefined;
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration as Go's time.ParseDuration reads it, such as `1h30m`, in milliseconds; undefined for another text. It has no days. */
function goDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unitMilliseconds[unit ?? ''] ?? 0),
    0,
  );
}
