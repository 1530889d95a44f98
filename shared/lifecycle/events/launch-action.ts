import * as z from 'zod/mini';
import { ignored, kind } from './kind.ts';
import { actionSchema } from './terminate-action.ts';

const launchingSchema = () =>
  z.extend(actionSchema(), {
    LifecycleTransition: z.literal('autoscaling:EC2_INSTANCE_LAUNCHING'),
  });

/** Auto Scaling holds a new instance in Pending:Wait. One that is launched into a warm pool does not join. */
export const launchAction = kind({
  schema: launchingSchema,
  mean: (action) => {
    if (action.Destination === 'WarmPool')
      return ignored('it is launched into a warm pool, not into service');
    return {
      kind: 'joining',
      launch: {
        instanceId: action.EC2InstanceId,
        autoScalingGroupName: action.AutoScalingGroupName,
        lifecycleHookName: action.LifecycleHookName,
        ...(action.LifecycleActionToken && { lifecycleActionToken: action.LifecycleActionToken }),
        ...(action.Origin && { origin: action.Origin }),
      },
    };
  },
});
