import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';
import { actionToken, groupName, hookName, instanceId, place } from './fields.ts';
import { kind } from './kind.ts';

/** What the enveloped and the flat form of a lifecycle action have in common. */
export const actionSchema = lazily(() =>
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

export type Action = z.infer<ReturnType<typeof actionSchema>>;

const terminatingSchema = () =>
  z.extend(actionSchema(), {
    LifecycleTransition: z.literal('autoscaling:EC2_INSTANCE_TERMINATING'),
  });

/**
 * Auto Scaling holds an instance in Terminating:Wait, in Warmed:Terminating:Wait (on its way to or in a warm pool), or in
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
