import type { Cloud } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import type { Action } from './action-schema.ts';
import { changeRoll } from './change-roll.ts';

/**
 * Performs the action in the simulation, as the owner of the account or as EC2, and describes it in a sentence.
 *
 * @throws AwsError if AWS would refuse it.
 */
export function act({ account }: Pick<Cloud, 'account'>, action: Action): string {
  const { autoScaling, ec2 } = account;
  if (action.action === 'interrupt' || action.action === 'kill') refuseGone(action.instanceId, account);
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
      return `${action.instanceId} was killed without a warning.`;
    case 'scale':
      autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: action.autoScalingGroupName,
        DesiredCapacity: action.desiredCapacity,
      });
      return `The desired capacity of ${action.autoScalingGroupName} is now ${action.desiredCapacity}.`;
    case 'roll':
      return changeRoll(account, action);
  }
}

/** EC2 has no call for these two; its calls refuse in this way. The page of another tab may have been a moment behind. */
function refuseGone(instanceId: string, { ec2 }: Cloud['account']): void {
  const state = ec2.instances.find(instanceId)?.state;
  if (state === 'shutting-down' || state === 'terminated')
    throw new AwsError({ code: 'IncorrectInstanceState', message: `${instanceId} is ${state} already.` });
}
