import * as z from 'zod/mini';
import type { MetricPoint } from './metric-store.ts';

const lineSchema = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

const valuesSchema = z.union([z.number(), z.array(z.number())]);

/**
 * The metrics in a log line of the embedded metric format, one for each set of dimensions; none in any other line.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function readEmbeddedMetrics(line: string): readonly MetricPoint[] {
  const parsed = z.safeParse(lineSchema, parseJson(line));
  if (!parsed.success) return [];
  const { _aws: about, ...members } = parsed.data;
  return about.CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name])]));
      return Metrics.flatMap(({ Name: metricName }) =>
        valuesOf(members[metricName]).map((value) => ({
          namespace,
          metricName,
          dimensions,
          value,
          at: about.Timestamp,
        })),
      );
    }),
  );
}

function valuesOf(member: unknown): readonly number[] {
  const values = z.safeParse(valuesSchema, member);
  return values.success ? [values.data].flat() : [];
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What the runtime itself writes is text.
    return undefined;
  }
}
