import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';

/** At least so many nodes in a group until a time. */
export interface Hold {
  readonly autoScalingGroupName: string;
  /** Distinct within the group. */
  readonly name: string;
  readonly nodes: number;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Whether MaxSize is raised where it is smaller. */
  readonly raiseMaxSize: boolean;
  /** Epoch milliseconds; absent where the parameter was written by hand without it. */
  readonly createdAt?: number;
  /** When a person ended it early (epoch milliseconds). Its parameter stays until its time is over, so that its schedule makes it once. */
  readonly endedAt?: number;
  /** The person or schedule that made it. */
  readonly by?: string;
}

/** No Auto Scaling group may be larger (EC2 Auto Scaling quotas name no limit; 10,000 is beyond a Kubernetes cluster's 5,000 nodes). */
export const mostHeldNodes = 10_000;

const schema = lazily(() =>
  z.object({
    version: z.literal(1),
    nodes: z.int().check(z.minimum(1), z.maximum(mostHeldNodes)),
    until: z.iso.datetime({ offset: true }),
    raiseMaxSize: z.optional(z.boolean()),
    createdAt: z.optional(z.iso.datetime({ offset: true })),
    endedAt: z.optional(z.iso.datetime({ offset: true })),
    by: z.optional(z.string().check(z.maxLength(512))),
  }),
);

/** The content of a hold's parameter. `until` is known where the text still says it, so that what cannot be read ends too. */
export type HoldReading =
  | { readonly kind: 'hold'; readonly hold: Hold }
  | {
      readonly kind: 'unreadable';
      readonly autoScalingGroupName: string;
      readonly name: string;
      readonly why: string;
    };

/** Reads the text of a hold's parameter. The reason quotes none of it. */
export function readHold(text: string, place: Pick<Hold, 'autoScalingGroupName' | 'name'>): HoldReading {
  const parsed = schema().safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'unreadable', ...place, why: describeIssues(parsed.error) };
  const { nodes, until, raiseMaxSize = false, createdAt, endedAt, by } = parsed.data;
  return {
    kind: 'hold',
    hold: {
      ...place,
      nodes,
      until: Date.parse(until),
      raiseMaxSize,
      ...(createdAt !== undefined && { createdAt: Date.parse(createdAt) }),
      ...(endedAt !== undefined && { endedAt: Date.parse(endedAt) }),
      ...(by !== undefined && { by }),
    },
  };
}

/** The text of a hold's parameter: JSON that people read with the AWS CLI. */
export const formatHold = ({ nodes, until, raiseMaxSize, createdAt, endedAt, by }: Hold): string =>
  JSON.stringify({
    version: 1,
    nodes,
    until: new Date(until).toISOString(),
    ...(raiseMaxSize && { raiseMaxSize }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...(by !== undefined && { by }),
  });

export const isActive = ({ until, endedAt }: Hold, now: number): boolean =>
  endedAt === undefined && until > now;

const scheduleWord = 'schedule ';

/** The maker of the holds of a schedule. */
export const bySchedule = (name: string): string => `${scheduleWord}${name}`;

/** The schedule that made a hold; undefined if something else made it. */
export const scheduleOf = ({ by }: Hold): string | undefined =>
  by?.startsWith(scheduleWord) ? by.slice(scheduleWord.length) : undefined;

export const isOfSchedule = (hold: Hold): boolean => scheduleOf(hold) !== undefined;
