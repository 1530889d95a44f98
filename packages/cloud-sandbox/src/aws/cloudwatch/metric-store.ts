/** A metric is its namespace, its name and all of its dimensions. */
export interface MetricIdentity {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** One number of a metric. */
export interface MetricPoint extends MetricIdentity {
  readonly value: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What CloudWatch keeps of a minute. */
interface Minute {
  count: number;
  sum: number;
  minimum: number;
  maximum: number;
}

export interface MetricStore {
  record(point: MetricPoint): void;
  /**
   * The statistic over whole minutes from `from` up to `to` (epoch milliseconds); undefined: no data.
   * @throws RangeError for a statistic that is not kept: percentiles and their like.
   */
  statistic(
    metric: MetricIdentity,
    query: { readonly statistic: string; readonly from: number; readonly to: number },
  ): number | undefined;
}

const minuteMilliseconds = 60_000;
/** Enough for the longest alarm here: five periods of an hour. */
const keptMinutes = 24 * 60;

const keyOf = ({ namespace, metricName, dimensions }: MetricIdentity): string =>
  JSON.stringify([
    namespace,
    metricName,
    Object.keys(dimensions)
      .toSorted()
      .map((name) => [name, dimensions[name]]),
  ]);

const combine = (one: Minute, other: Minute): Minute => ({
  count: one.count + other.count,
  sum: one.sum + other.sum,
  minimum: Math.min(one.minimum, other.minimum),
  maximum: Math.max(one.maximum, other.maximum),
});

const statistics: Readonly<Record<string, (minute: Minute) => number>> = {
  Average: ({ sum, count }) => sum / count,
  Maximum: ({ maximum }) => maximum,
  Minimum: ({ minimum }) => minimum,
  SampleCount: ({ count }) => count,
  Sum: ({ sum }) => sum,
};

/** Metrics in the resolution of a minute, for a day. */
export function createMetricStore(): MetricStore {
  const metrics = new Map<string, Map<number, Minute>>();
  return {
    record: ({ value, at, ...metric }) => {
      const minutes = metrics.get(keyOf(metric)) ?? new Map<number, Minute>();
      metrics.set(keyOf(metric), minutes);
      const minute = Math.floor(at / minuteMilliseconds);
      const point = { count: 1, sum: value, minimum: value, maximum: value };
      const before = minutes.get(minute);
      minutes.set(minute, before === undefined ? point : combine(before, point));
      minutes.delete(minute - keptMinutes);
    },
    statistic: (metric, { statistic, from, to }) => {
      const read = statistics[statistic];
      if (read === undefined) throw new RangeError(`the sandbox's CloudWatch has no statistic ${statistic}`);
      const minutes = metrics.get(keyOf(metric));
      let all: Minute | undefined;
      for (let minute = from / minuteMilliseconds; minute < to / minuteMilliseconds; minute += 1) {
        const kept = minutes?.get(minute);
        if (kept !== undefined) all = all === undefined ? kept : combine(all, kept);
      }
      return all && read(all);
    },
  };
}
