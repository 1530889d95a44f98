import {
  type CloudWatchClient,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandOutput,
  type MetricAlarm,
} from '@aws-sdk/client-cloudwatch';
import type { DescribedAlarm } from '../problems/alarm-problems.ts';
import { required } from './errors.ts';

/**
 * The metric alarms whose names begin with a prefix: a call for each hundred.
 *
 * @throws UnreadableAnswerError
 */
export async function readAlarms(
  client: CloudWatchClient,
  AlarmNamePrefix: string,
): Promise<readonly DescribedAlarm[]> {
  const alarms: DescribedAlarm[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeAlarmsCommandOutput = await client.send(
      new DescribeAlarmsCommand({ AlarmNamePrefix, AlarmTypes: ['MetricAlarm'], MaxRecords: 100, NextToken }),
    );
    alarms.push(...required(page.MetricAlarms, { ...page, name: 'MetricAlarms' }).map(toAlarm));
    NextToken = page.NextToken;
  } while (NextToken);
  return alarms;
}

const toAlarm = (alarm: MetricAlarm): DescribedAlarm => ({
  name: alarm.AlarmName ?? '',
  description: alarm.AlarmDescription ?? '',
  isRaised: isRaised(alarm),
  since: (alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp)?.getTime(),
});

/** Without data an alarm is raised if it notifies of that. CloudWatch creates each alarm without data, and has not evaluated it then. */
const isRaised = ({ StateValue, StateReason = '', InsufficientDataActions = [] }: MetricAlarm): boolean =>
  StateValue === 'ALARM' ||
  (StateValue === 'INSUFFICIENT_DATA' &&
    InsufficientDataActions.length > 0 &&
    !StateReason.startsWith('Unchecked'));
