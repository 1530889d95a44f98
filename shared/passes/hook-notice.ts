import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import { lazily } from '../base/lazily.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { begin } from './time-is-up.ts';

/** The hook that an instance waits on, in the notices of every kind of pass. */
export const hookSchema = lazily(() =>
  z.object({
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    lifecycleHookName: z.string().check(z.minLength(1), z.maxLength(255)),
    lifecycleActionToken: z.optional(z.string().check(z.maxLength(64))),
  }),
);

/** The place that an instance comes from or goes to. */
export const placeSchema = lazily(() => z.enum(['EC2', 'AutoScalingGroup', 'WarmPool']));

export type InstancePlace = z.infer<ReturnType<typeof placeSchema>>;

/** Auto Scaling may not know a wait yet when its event arrives. */
const waitSettlesMilliseconds = 60_000;

/** Whether the wait was noticed within the last minute. */
export const isNewWait = (noticedAt: string, { clock }: { readonly clock: Clock }): boolean =>
  clock.now() - Date.parse(noticedAt) < waitSettlesMilliseconds;

/** An instance with the notices about it. Some of them name the hook that it waits on. */
interface NoticedSubject {
  readonly instanceId: string;
  readonly notices: readonly {
    readonly noticedAt: string;
    readonly hook?: Omit<LifecycleAction, 'instanceId'> | undefined;
  }[];
}

/**
 * The wait of the instance on this hook, as the latest of its notices with a token describes it, or else the latest notice.
 * Undefined if no notice names the hook.
 */
export function noticedAction(
  { instanceId, notices }: NoticedSubject,
  lifecycleHookName: string,
): LifecycleAction | undefined {
  const [latest] = notices
    .flatMap(({ hook, noticedAt }) =>
      hook?.lifecycleHookName === lifecycleHookName ? [{ ...hook, noticedAt }] : [],
    )
    .toSorted(
      (one, other) =>
        order(one.lifecycleActionToken) - order(other.lifecycleActionToken) ||
        Date.parse(other.noticedAt) - Date.parse(one.noticedAt),
    );
  if (!latest) return undefined;
  const { autoScalingGroupName, lifecycleActionToken } = latest;
  return {
    autoScalingGroupName,
    lifecycleHookName,
    instanceId,
    ...(lifecycleActionToken && { lifecycleActionToken }),
  };
}

/** Notices with a token come first. */
const order = (token: string | undefined): number => (token ? 0 : 1);

/** What distinguishes two notices with the same reason: nothing if they have a token, which identifies the wait, or else their time. */
export const distinctTimeOf = ({ hook, noticedAt }: NoticedSubject['notices'][number]): string =>
  hook?.lifecycleActionToken === undefined ? noticedAt : '';

/** Reads the hooks of a group. */
export type HooksOf = (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;

/**
 * Begins to read the hooks of the group that a notice names, beside the first reads of a pass. Its failure is that of the step that needs
 * the hooks: a pass that ends before does not need them.
 */
export function beginHooks(
  autoScaling: Pick<AutoScaling, 'describeHooks'>,
  notices: readonly { readonly hook?: { readonly autoScalingGroupName: string } | undefined }[],
): HooksOf {
  const named = notices.find(({ hook }) => hook)?.hook?.autoScalingGroupName;
  const read: HooksOf = (name) => autoScaling.describeHooks(name);
  if (named === undefined) return read;
  const begun = begin(() => read(named));
  return (name) => (name === named ? begun : read(name));
}
