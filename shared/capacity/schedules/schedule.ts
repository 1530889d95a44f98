import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';
import { type PodRequest, podRequestJson, podRequestOf, podRequestSchema } from '../pod-holds/pod-request.ts';
import { setNameSchema } from '../set-name.ts';
import { durationBounds, leadBounds, mostExceptions } from './bounds.ts';
import { isTimeZone } from './time-zone.ts';
import { parseExpression, type Timing } from './timing.ts';
import { whyNotKnown } from './why-not-known.ts';

/** A schedule as EventBridge Scheduler keeps it. */
export interface ScheduleRecord {
  readonly name: string;
  readonly expression: string;
  readonly timeZone: string;
  /** Disabled schedules are paused. */
  readonly enabled: boolean;
  /** The input of its target: JSON of a `Definition`. */
  readonly input: string;
  /** Epoch milliseconds. */
  readonly startsAt?: number;
  readonly endsAt?: number;
}

/** A floor of a group that recurs at the times of an expression. */
export interface Schedule extends Definition {
  readonly name: string;
  readonly expression: string;
  readonly timing: Timing;
  readonly paused: boolean;
}

export type ScheduleReading =
  | { readonly kind: 'schedule'; readonly schedule: Schedule }
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string };

/** The schedule group of a cluster in EventBridge Scheduler. */
export const scheduleGroupOf = (clusterName: string): string => `drover-${clusterName}`;

/** The name of a hold is this name, a dot and the time of the occurrence. It may have 64 characters. */
const scheduleNamePattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,47}$/;

/** Reads a schedule of the cluster's schedule group. Other tools write there too, so everything in it is checked. */
export function readSchedule(record: ScheduleRecord): ScheduleReading {
  const { name, expression, timeZone, enabled, startsAt, endsAt } = record;
  const unreadable = (why: string): ScheduleReading => ({ kind: 'unreadable', name, why });
  if (!scheduleNamePattern.test(name))
    return unreadable('its name must be at most 48 letters, digits, dots and dashes');
  const parsed = parseExpression(expression);
  if (parsed === undefined) return unreadable(whyNotKnown(expression));
  if (!isTimeZone(timeZone))
    return unreadable(`there is no time zone ${timeZone}: write one such as Europe/Berlin or UTC`);
  const reading = readDefinition(record.input);
  if (reading.kind === 'unreadable') return unreadable(`the input of its target: ${reading.why}`);
  const timing = {
    expression: parsed,
    timeZone,
    ...(startsAt !== undefined && { from: startsAt }),
    ...(endsAt !== undefined && { to: endsAt }),
  };
  return {
    kind: 'schedule',
    schedule: { ...reading.definition, name, expression, timing, paused: !enabled },
  };
}

/** What a schedule asks for, besides its expression and time zone: the input of its target in EventBridge Scheduler. */
export interface Definition {
  readonly autoScalingGroupName: string;
  /** The floor of the group during the hold of an occurrence; 0 in a schedule for pods, whose number is only known then. */
  readonly nodes: number;
  /** The pods that its holds ask room for, instead of a number of nodes. */
  readonly pods?: PodRequest;
  /** How long the hold lasts after the time of the occurrence. */
  readonly durationSeconds: number;
  /** How long before that time the hold is created, so that the nodes are Ready in time. */
  readonly lead: Lead;
  /** Dates in the time zone of the schedule, such as `2026-12-25`, on which every occurrence is skipped. */
  readonly exceptions: readonly string[];
  /** Whether MaxSize is raised if it is too small. */
  readonly raiseMaxSize: boolean;
  /** The user who created it. */
  readonly by?: string;
  /** The set that declares it: `drover apply` owns the schedule. Undefined if it was made by hand. */
  readonly set?: string;
}

/** Seconds, or measured from the group's launches. */
export type Lead = 'measured' | number;

const common = () => ({
  work: z.literal('schedule'),
  autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
  durationSeconds: z.int().check(z.minimum(durationBounds.minimum), z.maximum(durationBounds.maximum)),
  lead: z.union([
    z.literal('measured'),
    z.int().check(z.minimum(leadBounds.minimum), z.maximum(leadBounds.maximum)),
  ]),
  exceptions: z.optional(z.array(z.iso.date()).check(z.maxLength(mostExceptions))),
  raiseMaxSize: z.optional(z.boolean()),
  by: z.optional(z.string().check(z.maxLength(512))),
  set: z.optional(setNameSchema()),
});

const schema = lazily(() =>
  z.object({ version: z.literal(1), nodes: z.int().check(z.minimum(1), z.maximum(10_000)), ...common() }),
);

/** A schedule for pods. A Drover that does not know it makes no holds of it. */
const podsSchema = lazily(() => z.object({ version: z.literal(2), pods: podRequestSchema(), ...common() }));

const envelope = lazily(() => z.object({ version: z.literal(2) }));

type DefinitionReading =
  | { readonly kind: 'definition'; readonly definition: Definition }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads the input of a schedule's target. The reason does not quote the input. */
export function readDefinition(text: string): DefinitionReading {
  const value = parseJson(text);
  const isForPods = envelope().safeParse(value).success;
  const parsed = isForPods ? podsSchema().safeParse(value) : schema().safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', why: describeIssues(parsed.error) };
  const { data } = parsed;
  const {
    autoScalingGroupName,
    durationSeconds,
    lead,
    by,
    set,
    exceptions = [],
    raiseMaxSize = false,
  } = data;
  const asked = 'pods' in data ? { nodes: 0, pods: podRequestOf(data.pods) } : { nodes: data.nodes };
  return {
    kind: 'definition',
    definition: {
      autoScalingGroupName,
      ...asked,
      durationSeconds,
      lead,
      exceptions,
      raiseMaxSize,
      ...(by !== undefined && { by }),
      ...(set !== undefined && { set }),
    },
  };
}

/** The input of a schedule's target: JSON that is readable in the AWS CLI. Exceptions are sorted, without duplicates. */
export const formatDefinition = ({
  autoScalingGroupName,
  nodes,
  pods,
  durationSeconds,
  lead,
  exceptions,
  raiseMaxSize,
  by,
  set,
}: Definition): string =>
  JSON.stringify({
    version: pods ? 2 : 1,
    work: 'schedule',
    autoScalingGroupName,
    ...(pods ? { pods: podRequestJson(pods) } : { nodes }),
    durationSeconds,
    lead,
    ...(exceptions.length > 0 && { exceptions: [...new Set(exceptions)].sort() }),
    ...(raiseMaxSize && { raiseMaxSize }),
    ...(by !== undefined && { by }),
    ...(set !== undefined && { set }),
  });
