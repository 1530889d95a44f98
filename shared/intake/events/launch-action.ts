import * as z from 'zod/mini';
import { kind } from './kind.ts';
import { actionSchema } from './terminate-action.ts';

const launchingSchema = () =>
  z.extend(actionSchema(), {
    LifecycleTransition: z.literal('autoscaling:EC2_INSTANCE_LAUNCHING'),
  });

/** Auto Scaling holds a new instance in Pending:Wait, or one that is launched into a warm pool in Warmed:Pending:Wait. */
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
