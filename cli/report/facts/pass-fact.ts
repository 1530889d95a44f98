import * as z from 'zod/mini';
import { instanceIdPattern } from '../../../shared/base/instance-id.ts';

/** What the line of one pass over a leaving or a joining instance says, for a report. */
export interface PassFact {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly instanceId: string;
  readonly outcome: 'again' | 'done';
  /** Whether the only reason for the pass is that EC2 reports the instance as gone: it may have left long before. */
  readonly isEcho: boolean;
  /** What the pass waits for, as in the metric `Waits`: `failure` if the pass failed, `other` if it does not say. */
  readonly waitsFor: string;
  readonly group?: string | undefined;
  readonly node?: string | undefined;
  /** The budgets that refused evictions, as `namespace/name`. */
  readonly budgets: readonly string[];
  /** Pods that this pass has deleted past their budgets. */
  readonly podsForced: number;
  /** How the leave ended. Lines of Drover 0.1 do not have it. */
  readonly release?: string | undefined;
  readonly leaveSeconds?: number | undefined;
  readonly drainSeconds?: number | undefined;
  readonly drainFailed: boolean;
  readonly joinSeconds?: number | undefined;
  readonly isAbandoned: boolean;
  readonly toWarmPool: boolean;
}

const seconds = () => z.optional(z.number().check(z.nonnegative()));
const text = () => z.optional(z.string());

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.string(),
  message: z.literal('pass'),
  subject: z.string().check(z.regex(instanceIdPattern)),
  outcome: z.enum(['again', 'done']),
  causes: z.optional(z.array(z.string())),
  facts: z.optional(
    z.looseObject({
      waitsFor: text(),
      autoScalingGroupName: text(),
      node: text(),
      budgets: z.optional(z.array(z.string())),
      podsForced: seconds(),
      release: text(),
      leaveSeconds: seconds(),
      drainSeconds: seconds(),
      drainFailed: z.optional(z.boolean()),
      joinSeconds: seconds(),
      joinsAbandoned: seconds(),
      toWarmPool: z.optional(z.boolean()),
    }),
  ),
});

/** Reads the parsed line of a pass; undefined for another line, and for a pass over a group. The text is not trusted. */
export function readPassFact(line: unknown): PassFact | undefined {
  const parsed = z.safeParse(lineSchema, line);
  if (!parsed.success) return undefined;
  const { time, level, subject, outcome, causes = [], facts = {} } = parsed.data;
  return {
    at: Date.parse(time),
    instanceId: subject,
    outcome,
    isEcho: causes.length > 0 && causes.every((cause) => cause === 'instance-gone'),
    waitsFor: level === 'error' ? 'failure' : (facts.waitsFor ?? 'other'),
    group: facts.autoScalingGroupName,
    node: facts.node,
    budgets: facts.budgets ?? [],
    podsForced: facts.podsForced ?? 0,
    release: facts.release,
    leaveSeconds: facts.leaveSeconds,
    drainSeconds: facts.drainSeconds,
    drainFailed: facts.drainFailed ?? false,
    joinSeconds: facts.joinSeconds,
    isAbandoned: (facts.joinsAbandoned ?? 0) > 0,
    toWarmPool: facts.toWarmPool ?? false,
  };
}
