import type { DescribeAlarmsInput } from '@aws-sdk/client-cloudwatch';
import type { ServiceParts } from '../integration.ts';
import { page, pageSize } from '../paging.ts';
import { AwsError, type AwsService } from '../service.ts';
import type { Alarm, SimulatedCloudWatch } from './cloudwatch.ts';

/** The alarms of a deployment, with what CloudWatch remembers of them. */
export interface WatchedAlarms extends Pick<SimulatedCloudWatch, 'stateOf' | 'history'> {
  readonly alarms: readonly Alarm[];
}

/**
 * The API of CloudWatch: only the metric alarms of the template, by their names or a prefix, and by their state. Left out: composite alarms,
 * changes of alarms, metrics.
 */
export function createMonitoring({
  clock,
  accountId,
  region,
}: Pick<ServiceParts, 'clock' | 'accountId' | 'region'>) {
  const createdAt = clock.now();
  let watched: WatchedAlarms = { alarms: [], stateOf: () => undefined, history: () => [] };
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
      StateReason: change === undefined ? unchecked : 'Threshold Crossed',
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
    },
    controls: {
      watch: (alarms: WatchedAlarms): void => {
        watched = alarms;
      },
    },
  } satisfies AwsService & { readonly controls: unknown };
}

/** The reason of the first state, in CloudWatch's words. */
const unchecked = 'Unchecked: Initial alarm creation';

const isAsked = (name: string, { AlarmNames, AlarmNamePrefix = '' }: DescribeAlarmsInput): boolean =>
  AlarmNames === undefined || AlarmNames.length === 0
    ? name.startsWith(AlarmNamePrefix)
    : AlarmNames.includes(name);
