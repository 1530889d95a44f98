import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';

/**
 * Why a node is to leave:
 * - `terminating`: Auto Scaling holds the instance on our hook, in Terminating:Wait or ReplacingRootVolume:Wait;
 * - `spot-interruption`, `capacity-reservation`: EC2 takes the instance back at `deadline`;
 * - `rebalance`, `scheduled-change`: EC2 advises to leave, there is time to choose;
 * - `instance-gone`: EC2 says that the instance stops or has stopped to exist;
 * - `swept`: the sweep found it waiting, and no pass had renewed its mark.
 */
export const leavingCauses = [
  'terminating',
  'spot-interruption',
  'capacity-reservation',
  'rebalance',
  'scheduled-change',
  'instance-gone',
  'swept',
] as const;

/** The hook that an instance waits on, in the notices of every kind of pass. */
export const hookSchema = lazily(() =>
  z.object({
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    lifecycleHookName: z.string().check(z.minLength(1), z.maxLength(255)),
    lifecycleActionToken: z.optional(z.string().check(z.maxLength(64))),
  }),
);

/** Where an instance comes from, or goes. */
export const placeSchema = lazily(() => z.enum(['EC2', 'AutoScalingGroup', 'WarmPool']));

/** A spot warning comes two minutes before EC2 takes the instance (EC2 user guide, "Spot Instance interruption notices"). */
export const spotNoticeSeconds = 120;

/** One reason for one instance to leave, as it travels on the queue. Times are ISO 8601 in UTC. */
export const leavingNoticeSchema = lazily(() =>
  z.object({
    cause: z.enum(leavingCauses),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    noticedAt: z.iso.datetime(),
    /** When EC2 takes the instance away; absent where no event says so. */
    deadline: z.optional(z.iso.datetime()),
    /** Where the instance goes; `WarmPool` is not a termination. Absent in older events. */
    destination: z.optional(placeSchema()),
    /** Why the hook waits, where it is no termination. Absent in older messages. */
    action: z.optional(z.literal('ReplaceRootVolume')),
    hook: z.optional(hookSchema()),
    /** The Node, where the sender knows it: EC2 may not know the names of its instance any more. */
    nodeName: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  }),
);

export type InstancePlace = z.infer<ReturnType<typeof placeSchema>>;
export type LeavingCause = (typeof leavingCauses)[number];
export type LeavingNotice = z.infer<ReturnType<typeof leavingNoticeSchema>>;

/** A warning this long past its end was repeated or redriven: EC2 has not done what it said. */
const warningIsOldAfterMilliseconds = 120_000;

/**
 * When EC2 takes the instance away, in epoch milliseconds; Infinity where nothing says so. A scheduled change is advice: its time may
 * move, and its notice may come when it is past.
 */
export function deadlineOf({ cause, deadline }: LeavingNotice, now: number): number {
  if (deadline === undefined || cause === 'scheduled-change') return Infinity;
  const time = Date.parse(deadline);
  return time < now - warningIsOldAfterMilliseconds ? Infinity : time;
}
