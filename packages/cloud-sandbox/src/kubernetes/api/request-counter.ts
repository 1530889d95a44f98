/** How often something was asked for, and how many bytes the answers had. */
interface RequestCount {
  readonly requests: number;
  readonly responseBytes: number;
}

export interface RequestCounter {
  /** `subject` is `verb resource`, with the subresource after a slash: `create pods/eviction`; `get /healthz` for a path. */
  record(subject: string, responseBytes: number): void;
  /** Everything since the last reset, by subject. */
  counts(): ReadonlyMap<string, RequestCount>;
  total(): RequestCount;
  reset(): void;
}

export function createRequestCounter(): RequestCounter {
  const counts = new Map<string, RequestCount>();
  return {
    record: (subject, responseBytes) => {
      const { requests, responseBytes: bytes } = counts.get(subject) ?? { requests: 0, responseBytes: 0 };
      counts.set(subject, { requests: requests + 1, responseBytes: bytes + responseBytes });
    },
    counts: () => new Map(counts),
    total: () =>
      [...counts.values()].reduce(
        (sum, count) => ({
          requests: sum.requests + count.requests,
          responseBytes: sum.responseBytes + count.responseBytes,
        }),
        { requests: 0, responseBytes: 0 },
      ),
    reset: () => counts.clear(),
  };
}
