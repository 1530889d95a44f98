import * as z from 'zod/mini';
import type { Refusals } from '../report-of.ts';

/** The line of the metric `CallsThrottled`: an attempt of a call that AWS refused for its rate. */
const lineSchema = z.looseObject({
  CallsThrottled: z.number().check(z.positive()),
  Service: z.string(),
  Operation: z.string(),
});

/** Counts refused calls by service and operation. */
export function gatherRefusals() {
  const counts = new Map<string, Refusals>();
  return {
    /** Takes a parsed line of a log; another line counts nothing. */
    add: (line: unknown): void => {
      const parsed = z.safeParse(lineSchema, line);
      if (!parsed.success) return;
      const { Service: service, Operation: operation, CallsThrottled } = parsed.data;
      const key = `${service}/${operation}`;
      counts.set(key, { service, operation, count: (counts.get(key)?.count ?? 0) + CallsThrottled });
    },
    counts: (): readonly Refusals[] => [...counts.values()].toSorted((one, other) => other.count - one.count),
  };
}
