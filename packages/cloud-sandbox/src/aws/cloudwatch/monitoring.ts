import type {
  DescribeAlarmHistoryInput,
  DescribeAlarmsInput,
  SetAlarmStateInput,
} from '@aws-sdk/client-cloudwatch';
import type { ServiceParts } from '../integration.ts';
import { page, pageSize } from '../paging.ts';
import { AwsError, type AwsService } from '../service.ts';
import type { Alarm, PerformedAction, SimulatedCloudWatch } from './cloudwatch.ts';

/** The alarms of a deployment, with what CloudWatch remembers of them. */
export interface WatchedAlarms
  extends Pick<SimulatedCloudWatch, 'stateOf' | 'reasonOf' | 'setState' | 'history'> {
  readonly alarms: readonly Alarm[];
  /** What became of the actions, oldest first. */
  readonly performed: () => readonly PerformedAction[];
}

/**
 * The API of CloudWatch: only the metric alarms of the template, by their names or a prefix, and by their state, which can be set until the
 * next evaluation; and what became of their actions. Left out: composite alarms, other changes of alarms, the rest of the history, metrics.
 */
export function createMonitoring({
  clock,
  accountId,
  region,
}: Pick<ServiceParts, 'clock' | 'accountId' | 'region'>) {
  const createdAt = clock.now();
  let watched: WatchedAlarms = {
    alarms: [],
    stateOf: () => undefined,
    reasonOf: () => undefined,
    setState: () => false,
    history: () => [],
    performed: () => [],
  };
  const describe = (alarm: Alarm) => {
    const change = watched.history().findLast((one) => one.alarm.alarmName === alarm.alarmName);
    const changedAt = new Date(change?.at ?? createdAt);
    return {
      AlarmName: alarm.alarmName,
      AlarmArn: `arn:aws:cloudwatch:${region}:${accountId}:alarm:${alarm.alarmName}`,
      AlarmDescription: alarm.description,
      ActionsEnabled: true,
      AlarmConfigurationUpdatedTimestamp: new Date(createdAt),
      TreatMissingData: alarm.treatMissingData,
      Period: alarm.metrics[0]?.periodSeconds,
      AlarmActions: [...alarm.alarmActions],
      OKActions: [...alarm.okActions],
      InsufficientDataActions: [...alarm.insufficientDataActions],
      StateValue: watched.stateOf(alarm.alarmName) ?? ('INSUFFICIENT_DATA' as const),
      StateReason: watched.reasonOf(alarm.alarmName) ?? unchecked,
      StateUpdatedTimestamp: changedAt,
      StateTransitionedTimestamp: changedAt,
    };
  };
  return {
    signingName: 'monitoring',
    operations: {
      /** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html */
      DescribeAlarms: (input: DescribeAlarmsInput) => {
        if (input.AlarmNames !== undefined && input.AlarmNamePrefix !== undefined)
          throw new AwsError({
            code: 'ValidationError',
            message: 'AlarmNames and AlarmNamePrefix cannot be specified at the same time.',
          });
        const found = watched.alarms
          .filter(({ alarmName }) => isAsked(alarmName, input))
          .map(describe)
          .filter(({ StateValue }) => input.StateValue === undefined || StateValue === input.StateValue)
          .toSorted((one, other) => one.AlarmName.localeCompare(other.AlarmName));
        const { items, nextToken } = page(found, {
          nextToken: input.NextToken,
          size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
          invalidToken: () =>
            new AwsError({ code: 'InvalidNextToken', message: 'The next token specified is invalid.' }),
        });
        return { MetricAlarms: items, CompositeAlarms: [], ...(nextToken && { NextToken: nextToken }) };
      },
      /** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_SetAlarmState.html */
      SetAlarmState: ({ AlarmName = '', StateValue, StateReason = '' }: SetAlarmStateInput) => {
        if (StateValue === undefined || !watched.setState(AlarmName, StateValue, StateReason))
          throw new AwsError({
            code: 'ResourceNotFound',
            message: `Unknown alarm ${AlarmName}`,
            statusCode: 404,
          });
        return {};
      },
      /** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmHistory.html */
      DescribeAlarmHistory: (input: DescribeAlarmHistoryInput) => {
        if (input.HistoryItemType !== 'Action')
          throw new AwsError({
            code: 'ValidationError',
            message: 'The sandbox has only the history of actions.',
          });
        const items = watched
          .performed()
          .filter(({ alarmName }) => input.AlarmName === undefined || alarmName === input.AlarmName)
          .toReversed()
          .slice(0, pageSize(input.MaxRecords, { default: 100, maximum: 100 }));
        return { AlarmHistoryItems: items.map(historyItem) };
      },
    },
    controls: {
      watch: (alarms: WatchedAlarms): void => {
        watched = alarms;
      },
    },
  } satisfies AwsService & { readonly controls: unknown };
}

/** The words of the summary are those of the console's and the API's history. */
const historyItem = ({ alarmName, action, at, error }: PerformedAction) => ({
  AlarmName: alarmName,
  AlarmType: 'MetricAlarm' as const,
  HistoryItemType: 'Action' as const,
  Timestamp: new Date(at),
  HistorySummary:
    error === undefined
      ? `Successfully executed action ${action}`
      : `Failed to execute action ${action}. Received error: "${error}"`,
});

/** The reason of the first state, in CloudWatch's words. */
const unchecked = 'Unchecked: Initial alarm creation';

const isAsked = (name: string, { AlarmNames, AlarmNamePrefix = '' }: DescribeAlarmsInput): boolean =>
  AlarmNames === undefined || AlarmNames.length === 0
    ? name.startsWith(AlarmNamePrefix)
    : AlarmNames.includes(name);
