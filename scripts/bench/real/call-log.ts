import type { AwsFront, AwsHttpRequest } from '@drover/cloud-sandbox/aws';

/** What was asked of the simulated AWS over the wire. What Lambda itself asks to poll queues does not come that way. */
export interface CallLog {
  readonly onRequest: (request: AwsHttpRequest, front: Pick<AwsFront, 'describe'>) => void;
  reset(): void;
  /** By `autoscaling CompleteLifecycleAction`. */
  counts(): ReadonlyMap<string, number>;
  /** When each instance's hook was first completed; epoch milliseconds, by instance id. */
  readonly completions: ReadonlyMap<string, number>;
}

export function createCallLog(): CallLog {
  const counts = new Map<string, number>();
  const completions = new Map<string, number>();
  return {
    onRequest: (request, front) => {
      const call = front.describe(request);
      if (call === undefined) return;
      const name = `${call.service} ${call.operation}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (call.operation !== 'CompleteLifecycleAction') return;
      const { InstanceId } = call.input as { readonly InstanceId?: string };
      if (InstanceId !== undefined && !completions.has(InstanceId)) completions.set(InstanceId, Date.now());
    },
    reset: () => {
      counts.clear();
      completions.clear();
    },
    counts: () => counts,
    completions,
  };
}
