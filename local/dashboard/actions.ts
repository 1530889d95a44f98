import * as z from 'zod/mini';
import type { Cloud } from '../cloud/cloud.ts';

const instanceId = z.string().check(z.regex(/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/, 'must be an instance id'));

/** What a button of the page asks for. */
export const actionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('terminate'), instanceId }),
  z.object({ action: z.literal('interrupt'), instanceId }),
  z.object({ action: z.literal('kill'), instanceId }),
  z.object({
    action: z.literal('scale'),
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    desiredCapacity: z.int().check(z.nonnegative()),
  }),
]);

export type Action = z.infer<typeof actionSchema>;

/**
 * Does it in the simulation, as the owner of the account would or as fate does, and says in a sentence what was done.
 *
 * @throws AwsError where AWS would refuse it.
 */
export function act({ account }: Pick<Cloud, 'account'>, action: Action): string {
  const { autoScaling, ec2 } = account;
  switch (action.action) {
    case 'terminate':
      autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: action.instanceId,
        ShouldDecrementDesiredCapacity: false,
      });
      return `Auto Scaling terminates ${action.instanceId} and replaces it.`;
    case 'interrupt':
      ec2.accidents.interruptSpot(action.instanceId);
      return `EC2 has warned ${action.instanceId}: it takes the instance back in two minutes.`;
    case 'kill':
      ec2.accidents.kill(action.instanceId);
      return `${action.instanceId} is dead, without a warning.`;
    case 'scale':
      autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: action.autoScalingGroupName,
        DesiredCapacity: action.desiredCapacity,
      });
      return `The desired capacity of ${action.autoScalingGroupName} is now ${action.desiredCapacity}.`;
  }
}
