import {
  type CloudWatchClient,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandOutput,
  type MetricAlarm,
} from '@aws-sdk/client-cloudwatch';
import type { Clock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import type { DescribedAlarm } from '../problems/alarm-problems.ts';
import { required } from './errors.ts';

/**
 * The metric alarms whose names begin with a prefix, as problems know them: a call for each hundred.
 *
 * @throws UnreadableAnswerError
 */
export const readAlarms = async (
  client: CloudWatchClient,
  prefix: string,
  clock: Clock,
  abortSignal?: AbortSignal,
): Promise<readonly DescribedAlarm[]> =>
  (await describeAlarms(client, prefix, abortSignal)).map((alarm) => toAlarm(alarm, clock.now()));

/**
 * The metric alarms whose names begin with a prefix, as CloudWatch has them: a call for each hundred.
 *
 * @throws UnreadableAnswerError
 */
export async function describeAlarms(
  client: CloudWatchClient,
  AlarmNamePrefix: string,
  abortSignal?: AbortSignal,
): Promise<readonly MetricAlarm[]> {
  const alarms: MetricAlarm[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeAlarmsCommandOutput = await client.send(
      new DescribeAlarmsCommand({ AlarmNamePrefix, AlarmTypes: ['MetricAlarm'], MaxRecords: 100, NextToken }),
      { ...(abortSignal && { abortSignal }) },
    );
    alarms.push(...required(page.MetricAlarms, { ...page, name: 'MetricAlarms' }));
    NextToken = page.NextToken;
  } while (NextToken);
  return alarms;
}

const toAlarm = (alarm: MetricAlarm, now: number): DescribedAlarm => ({
  name: alarm.AlarmName ?? '',
  description: alarm.AlarmDescription ?? '',
  isRaised: isRaised(alarm) && !isTooNew(alarm, now),
  since: (alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp)?.getTime(),
});

/** Without data an alarm is raised if it notifies of that. CloudWatch creates each alarm without data, and has not evaluated it then. */
const isRaised = ({ StateValue, StateReason = '', InsufficientDataActions = [] }: MetricAlarm): boolean =>
  StateValue === 'ALARM' ||
  (StateValue === 'INSUFFICIENT_DATA' &&
    InsufficientDataActions.length > 0 &&
    !StateReason.startsWith('Unchecked'));

/** CloudWatch looks back two periods more than it evaluates. */
const periodsLookedAt = 3;

/**
 * An alarm on silence is raised as soon as it is created, before anything could run. It counts once it could have seen that much silence. A
 * change of its configuration leaves its state alone, so that one which was raised before still counts (PutMetricAlarm).
 */
const isTooNew = (
  {
    TreatMissingData,
    Period = 0,
    AlarmConfigurationUpdatedTimestamp: changedAt,
    StateTransitionedTimestamp: raisedAt,
  }: MetricAlarm,
  now: number,
): boolean =>
  TreatMissingData === 'breaching' &&
  changedAt !== undefined &&
  !(raisedAt !== undefined && raisedAt < changedAt) &&
  isRecent(changedAt.getTime(), { now, seconds: periodsLookedAt * Period });

export interface NamedAlarms {
  readonly inAlarm: readonly string[];
  /** CloudWatch has no alarm with this name. */
  readonly unknown: readonly string[];
}

/** DescribeAlarms takes at most so many names. */
const mostNames = 100;

/**
 * Which of these alarms are in alarm, and which do not exist, each in the order of the names. Composite alarms count too: CloudWatch describes
 * them only if it is asked for them. An alarm without data is not in alarm.
 *
 * @throws UnreadableAnswerError
 */
export async function readNamedAlarms(
  client: CloudWatchClient,
  names: readonly string[],
): Promise<NamedAlarms> {
  const states = new Map<string | undefined, string | undefined>();
  for (let first = 0; first < names.length; first += mostNames) {
    const { MetricAlarms, CompositeAlarms, $metadata } = await client.send(
      new DescribeAlarmsCommand({
        AlarmNames: names.slice(first, first + mostNames),
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        MaxRecords: mostNames,
      }),
    );
    const metricAlarms = required(MetricAlarms, { name: 'MetricAlarms', $metadata });
    for (const { AlarmName, StateValue } of [...metricAlarms, ...(CompositeAlarms ?? [])])
      states.set(AlarmName, StateValue);
  }
  return {
    inAlarm: names.filter((name) => states.get(name) === 'ALARM'),
    unknown: names.filter((name) => !states.has(name)),
  };
}
