import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { hookSchema, placeSchema } from './hook-notice.ts';

/**
 * Why a node must leave:
 * - `terminating`: the instance waits on our hook, in Terminating:Wait or ReplacingRootVolume:Wait;
 * - `spot-interruption`, `capacity-reservation`: EC2 takes the instance back at `deadline`;
 * - `rebalance`, `scheduled-change`: EC2 recommends to replace the instance, and there is time to choose;
 * - `instance-gone`: EC2 reports that the instance is stopping, or that it no longer exists;
 * - `swept`: the sweep found the instance waiting, and no pass had renewed the mark of its Node.
 */
export const reasonsToLeave = [
  'terminating',
  'spot-interruption',
  'capacity-reservation',
  'rebalance',
  'scheduled-change',
  'instance-gone',
  'swept',
] as const;

/**
 * Every cause of a notice. `change-ended`: AWS Health reports that a scheduled change is over or was cancelled, so it is not a reason to
 * leave any more.
 */
export const leavingCauses = [...reasonsToLeave, 'change-ended'] as const;

/** EC2 sends a spot warning two minutes before it takes the instance (EC2 user guide, "Spot Instance interruption notices"). */
export const spotNoticeSeconds = 120;

/** One reason for one instance to leave, as its message has it. Times are ISO 8601 in UTC. */
export const leavingNoticeSchema = lazily(() =>
  z.object({
    cause: z.enum(leavingCauses),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    noticedAt: z.iso.datetime(),
    /** When EC2 takes the instance; absent if no event names a time. */
    deadline: z.optional(z.iso.datetime()),
    /** Where the instance goes; `WarmPool` is not a termination. Absent in older events. */
    destination: z.optional(placeSchema()),
    /** Why the instance waits, if it is not being terminated. Absent in older messages. */
    action: z.optional(z.literal('ReplaceRootVolume')),
    hook: z.optional(hookSchema()),
    /** The scheduled change, by the ARN of its event in AWS Health. Absent in older messages. */
    change: z.optional(z.string().check(z.maxLength(512))),
    /** The heartbeats of the wait were requested together with this notice. Absent in messages of older versions. */
    hasHeartbeats: z.optional(z.literal(true)),
    /** A pass has deleted the Node of the instance, and only its hook is left to complete. */
    nodeDeleted: z.optional(z.literal(true)),
    /** The Node, if the sender knows it: EC2 may no longer know the names of the instance. */
    nodeName: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  }),
);

export type ReasonToLeave = (typeof reasonsToLeave)[number];
export type LeavingNotice = z.infer<ReturnType<typeof leavingNoticeSchema>>;

/**
 * The notices without the scheduled changes that have ended. The end of one change does not end another one, and a change that was
 * announced after it is a new one. Pure.
 */
export function withoutEndedChanges(notices: readonly LeavingNotice[]): readonly LeavingNotice[] {
  const ends = notices.filter(({ cause }) => cause === 'change-ended');
  const hasEnded = ({ change, noticedAt }: LeavingNotice): boolean =>
    ends.some(
      (end) =>
        (change ?? end.change) === (end.change ?? change) &&
        Date.parse(end.noticedAt) >= Date.parse(noticedAt),
    );
  return notices.filter((notice) => notice.cause !== 'scheduled-change' || !hasEnded(notice));
}

/** A warning whose deadline passed this long ago is a repeated or redriven message: EC2 did not take the instance. */
const warningIsOldAfterMilliseconds = 120_000;

/**
 * When EC2 takes the instance, in epoch milliseconds; Infinity if no time is known. The time of a scheduled change does not count:
 * EC2 may move it, and the notice may arrive after it.
 */
export function deadlineOf({ cause, deadline }: LeavingNotice, now: number): number {
  if (deadline === undefined || cause === 'scheduled-change') return Infinity;
  const time = Date.parse(deadline);
  return time < now - warningIsOldAfterMilliseconds ? Infinity : time;
}
