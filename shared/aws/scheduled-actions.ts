import {
  type AutoScalingClient,
  DescribeScheduledActionsCommand,
  type DescribeScheduledActionsCommandOutput,
  type ScheduledUpdateGroupAction,
} from '@aws-sdk/client-auto-scaling';
import type { ScheduledAction } from '../groups/scheduled-action.ts';
import { required } from './errors.ts';

/**
 * The scheduled actions of all groups of the account and region: one call for each hundred of them, however many groups there are.
 *
 * @throws UnreadableAnswerError
 */
export async function readScheduledActions(client: AutoScalingClient): Promise<readonly ScheduledAction[]> {
  const actions: ScheduledAction[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeScheduledActionsCommandOutput = await client.send(
      new DescribeScheduledActionsCommand({ MaxRecords: 100, NextToken }),
    );
    const { ScheduledUpdateGroupActions: found } = page;
    actions.push(...required(found, { ...page, name: 'ScheduledUpdateGroupActions' }).map(toScheduledAction));
    NextToken = page.NextToken;
  } while (NextToken);
  return actions;
}

/**
 * StartTime is the next run: AWS replaces it after each run. It is not computed from the recurrence, because an action whose recurrence was
 * changed runs once more at the old time (https://github.com/hashicorp/terraform-provider-aws/issues/41200).
 */
export const toScheduledAction = (action: ScheduledUpdateGroupAction): ScheduledAction => ({
  autoScalingGroupName: action.AutoScalingGroupName ?? '',
  name: action.ScheduledActionName ?? '',
  nextAt: (action.StartTime ?? action.Time)?.getTime(),
  ...(action.Recurrence !== undefined && { recurrence: action.Recurrence }),
  ...(action.TimeZone !== undefined && { timeZone: action.TimeZone }),
  ...(action.MinSize !== undefined && { minSize: action.MinSize }),
  ...(action.MaxSize !== undefined && { maxSize: action.MaxSize }),
  ...(action.DesiredCapacity !== undefined && { desiredCapacity: action.DesiredCapacity }),
});
