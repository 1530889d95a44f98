import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';
import {
  actionToken,
  groupName,
  hookName,
  ignored,
  instanceId,
  type Kind,
  kind,
  type Meaning,
  malformed,
  place,
  time,
} from './kind.ts';
import type { Place } from './meaning.ts';

/** The fields that a lifecycle action has both as an event and as the notification of a hook. */
const actionSchema = lazily(() =>
  z.object({
    EC2InstanceId: instanceId(),
    AutoScalingGroupName: groupName(),
    LifecycleHookName: hookName(),
    LifecycleActionToken: z.optional(actionToken()),
    LifecycleTransition: z.string().check(z.maxLength(64)),
    Origin: z.optional(place()),
    Destination: z.optional(place()),
    Action: z.optional(z.string().check(z.maxLength(64))),
  }),
);

type Action = z.infer<ReturnType<typeof actionSchema>>;

const terminatingSchema = () =>
  z.extend(actionSchema(), {
    LifecycleTransition: z.literal('autoscaling:EC2_INSTANCE_TERMINATING'),
  });

/**
 * An instance waits in Terminating:Wait, in Warmed:Terminating:Wait (on its way to or in a warm pool) or in
 * ReplacingRootVolume:Wait.
 */
export const terminateAction = kind({
  schema: terminatingSchema,
  mean: (action, { time }) => ({ kind: 'leaving', notices: [terminatingNotice(action, time)] }),
});

function terminatingNotice(action: Action, noticedAt: string): LeavingNotice {
  return {
    cause: 'terminating',
    instanceId: action.EC2InstanceId,
    noticedAt,
    ...(action.Destination && { destination: action.Destination }),
    ...(action.Action === 'ReplaceRootVolume' && { action: action.Action }),
    hook: {
      autoScalingGroupName: action.AutoScalingGroupName,
      lifecycleHookName: action.LifecycleHookName,
      ...(action.LifecycleActionToken && { lifecycleActionToken: action.LifecycleActionToken }),
    },
  };
}

const launchingSchema = () =>
  z.extend(actionSchema(), {
    LifecycleTransition: z.literal('autoscaling:EC2_INSTANCE_LAUNCHING'),
  });

/** A new instance waits in Pending:Wait, or in Warmed:Pending:Wait if it is launched into a warm pool. */
export const launchAction = kind({
  schema: launchingSchema,
  mean: (action, { time }) => ({
    kind: 'joining',
    launch: {
      instanceId: action.EC2InstanceId,
      autoScalingGroupName: action.AutoScalingGroupName,
      lifecycleHookName: action.LifecycleHookName,
      ...(action.LifecycleActionToken && { lifecycleActionToken: action.LifecycleActionToken }),
      noticedAt: time,
      ...(action.Origin && { origin: action.Origin }),
      ...(action.Destination && { destination: action.Destination }),
    },
  }),
});

const flatSchema = lazily(() =>
  z.object({
    AccountId: z.string().check(z.maxLength(12)),
    Time: time(),
    LifecycleTransition: z.string().check(z.maxLength(64)),
  }),
);

/** Auto Scaling sends this once, when a hook with a notification target is created. */
export const isTestNotification = (value: object): boolean =>
  'Event' in value && value.Event === 'autoscaling:TEST_NOTIFICATION';

/** Reads the notification of a hook that sends to SQS, SNS or a function directly: the same fields as the event, without an envelope. */
export function readHookNotification(value: object, place: Place): Meaning {
  if (isTestNotification(value)) return ignored('a hook was created and its notification works');
  const flat = z.safeParse(flatSchema(), value);
  if (!flat.success) return malformed(flat.error);
  if (flat.data.AccountId !== place.accountId) return ignored('it is from another account');
  const read =
    flat.data.LifecycleTransition === 'autoscaling:EC2_INSTANCE_LAUNCHING' ? launchAction : terminateAction;
  return read({ detail: value, envelope: { time: flat.data.Time }, place });
}

// The ends of scaling activities. If something has to be done, an earlier event has reported it, so their details are not read.

const activity =
  (reason: string): Kind =>
  () =>
    ignored(reason);

export const launchSuccessful = activity('the launch is over; its lifecycle action has reported it');
export const launchUnsuccessful = activity('nothing was launched; Auto Scaling tries again');
export const terminateSuccessful = activity('EC2 has already reported that the instance shuts down');
export const terminateUnsuccessful = activity('nothing was terminated; Auto Scaling tries again');
