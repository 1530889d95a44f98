import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';
import { type PodRequest, podRequestJson, podRequestOf, podRequestSchema } from '../pod-holds/pod-request.ts';
import { setNameSchema } from '../set-name.ts';

/** Keeps at least a number of nodes in a group until a time. */
export interface Hold {
  readonly autoScalingGroupName: string;
  /** Distinct within the group. */
  readonly name: string;
  /** A hold for pods asks for as many as the last read at the pods found necessary, and for 0 before. */
  readonly nodes: number;
  /** The pods that it asks room for, instead of a number of nodes. */
  readonly pods?: PodRequest;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Whether MaxSize is raised if it is too small. */
  readonly raiseMaxSize: boolean;
  /** Epoch milliseconds; undefined if the parameter was written by hand without it. */
  readonly createdAt?: number;
  /** The time at which it was ended early (epoch milliseconds). The parameter is kept until `until`, so that its schedule does not create it again. */
  readonly endedAt?: number;
  /** The user or schedule that created it. */
  readonly by?: string;
  /** The set that declares it: `drover apply` owns the hold. Undefined if it was made by hand. */
  readonly set?: string;
}

/** Twice the 5,000 nodes of the largest Kubernetes cluster. The quotas of EC2 Auto Scaling have no limit for the size of a group. */
export const mostHeldNodes = 10_000;

const common = () => ({
  until: z.iso.datetime({ offset: true }),
  raiseMaxSize: z.optional(z.boolean()),
  createdAt: z.optional(z.iso.datetime({ offset: true })),
  endedAt: z.optional(z.iso.datetime({ offset: true })),
  by: z.optional(z.string().check(z.maxLength(512))),
  set: z.optional(setNameSchema()),
});

const schema = lazily(() =>
  z.object({
    version: z.literal(1),
    nodes: z.int().check(z.minimum(1), z.maximum(mostHeldNodes)),
    ...common(),
  }),
);

/** A hold for pods. A Drover that does not know it cannot read the hold, and therefore lowers nothing while it exists. */
const podsSchema = lazily(() => z.object({ version: z.literal(2), pods: podRequestSchema(), ...common() }));

const envelope = lazily(() => z.object({ version: z.literal(2) }));

/** The content of a hold's parameter. */
export type HoldReading =
  | { readonly kind: 'hold'; readonly hold: Hold }
  | {
      readonly kind: 'unreadable';
      readonly autoScalingGroupName: string;
      readonly name: string;
      readonly why: string;
    };

/** Reads the text of a hold's parameter. The reason does not quote the text. */
export function readHold(
  text: string,
  { autoScalingGroupName, name }: Pick<Hold, 'autoScalingGroupName' | 'name'>,
): HoldReading {
  // The caller's place may be a whole hold, whose other fields are not those of the text.
  const place = { autoScalingGroupName, name };
  const value = parseJson(text);
  const isForPods = envelope().safeParse(value).success;
  const parsed = isForPods ? podsSchema().safeParse(value) : schema().safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', ...place, why: describeIssues(parsed.error) };
  const { until, raiseMaxSize = false, createdAt, endedAt, by, set } = parsed.data;
  return {
    kind: 'hold',
    hold: {
      ...place,
      ...('pods' in parsed.data
        ? { nodes: 0, pods: podRequestOf(parsed.data.pods) }
        : { nodes: parsed.data.nodes }),
      until: Date.parse(until),
      raiseMaxSize,
      ...(createdAt !== undefined && { createdAt: Date.parse(createdAt) }),
      ...(endedAt !== undefined && { endedAt: Date.parse(endedAt) }),
      ...(by !== undefined && { by }),
      ...(set !== undefined && { set }),
    },
  };
}

/** The text of a hold's parameter: JSON that is readable in the AWS CLI. */
export const formatHold = ({ nodes, pods, until, raiseMaxSize, createdAt, endedAt, by, set }: Hold): string =>
  JSON.stringify({
    ...(pods ? { version: 2, pods: podRequestJson(pods) } : { version: 1, nodes }),
    until: new Date(until).toISOString(),
    ...(raiseMaxSize && { raiseMaxSize }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...(by !== undefined && { by }),
    ...(set !== undefined && { set }),
  });

export const isActive = ({ until, endedAt }: Hold, now: number): boolean =>
  endedAt === undefined && until > now;

const schedulePrefix = 'schedule ';

/** `by` of the holds of a schedule. */
export const bySchedule = (name: string): string => `${schedulePrefix}${name}`;

/** The schedule that created a hold; undefined if something else created it. */
export const scheduleOf = ({ by }: Hold): string | undefined =>
  by?.startsWith(schedulePrefix) ? by.slice(schedulePrefix.length) : undefined;

export const isOfSchedule = (hold: Hold): boolean => scheduleOf(hold) !== undefined;
