import {
  createCloudWatch,
  type PerformedAction,
  type SimulatedCloudWatch,
  type StateChange,
} from '../aws/cloudwatch/cloudwatch.ts';
import { readEmbeddedMetrics } from '../aws/cloudwatch/embedded-metrics.ts';
import { AwsError } from '../aws/service.ts';
import type { InvocationReport } from '../lambda/invocation.ts';
import type { Account } from './account.ts';
import type { AlarmWiring } from './wiring.ts';

/** The deployment's alarms over what functions, Lambda and SQS report. */
export interface Alarms
  extends Pick<SimulatedCloudWatch, 'start' | 'stop' | 'stateOf' | 'setState' | 'history' | 'putMetric'> {
  /** A function has written a line. */
  readonly onLine: (line: string) => void;
  readonly onInvocation: (report: InvocationReport) => void;
}

/**
 * Watches the alarms of a deployment once `start` is called, and publishes their changes of state to the topics that they
 * name. Metrics of AWS's own services are those that the alarms ask for: messages in queues, errors and throttles.
 */
export function watchAlarms(account: Account, alarms: readonly AlarmWiring[]): Alarms {
  const performed: PerformedAction[] = [];
  const cloudWatch = createCloudWatch({
    clock: account.clock,
    alarms,
    onMinute: () => measureQueues(account, cloudWatch),
    onStateChange: (change) => {
      performed.push(...publish(account, change));
    },
  });
  account.monitoring.controls.watch({ ...cloudWatch, alarms, performed: () => performed });
  return {
    ...cloudWatch,
    onLine: (line) => {
      for (const point of readEmbeddedMetrics(line)) cloudWatch.putMetric(point);
    },
    onInvocation: (report) => measureInvocation(account, cloudWatch, report),
  };
}

/** The queues' metrics belong to the minute that has just ended. */
function measureQueues({ clock, sqs }: Account, { putMetric }: Pick<SimulatedCloudWatch, 'putMetric'>): void {
  for (const queueName of sqs.controls.queueNames()) {
    const visible = sqs.controls.peek(queueName).filter(({ state }) => state === 'visible').length;
    putMetric({
      namespace: 'AWS/SQS',
      metricName: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: queueName },
      value: visible,
      at: clock.now() - 1,
    });
  }
}

/** A throttled invocation counts as neither invocation nor error (Lambda developer guide, "Types of metrics"). */
function measureInvocation(
  { clock }: Account,
  { putMetric }: Pick<SimulatedCloudWatch, 'putMetric'>,
  { functionName, outcome }: InvocationReport,
): void {
  const throttled = outcome.kind === 'throttled';
  const put = (metricName: string, value: number): void =>
    putMetric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensions: { FunctionName: functionName },
      value,
      at: clock.now(),
    });
  put('Throttles', throttled ? 1 : 0);
  if (throttled || outcome.kind === 'loop-stopped') return;
  put('Invocations', 1);
  put('Errors', outcome.kind === 'succeeded' ? 0 : 1);
}

/** A topic that refuses it is a refused delivery, which the sandbox reports. CloudWatch itself goes on, and keeps the error in the alarm's history. */
function publish(account: Account, change: StateChange): readonly PerformedAction[] {
  const { alarm, after, at } = change;
  const { deliver } = account.delivery;
  const sourceArn = `arn:aws:cloudwatch:${account.region}:${account.accountId}:alarm:${alarm.alarmName}`;
  const actions = {
    ALARM: alarm.alarmActions,
    OK: alarm.okActions,
    INSUFFICIENT_DATA: alarm.insufficientDataActions,
  }[after];
  return actions.map((action) => {
    const done = { alarmName: alarm.alarmName, action, at };
    try {
      const sender = { service: 'cloudwatch.amazonaws.com', sourceArn };
      deliver(action, JSON.stringify(notificationOf(account, change, sourceArn)), { sender });
      return done;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { ...done, error: error.message };
    }
  });
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-actions.html */
const notificationOf = (
  { accountId, region }: Account,
  { alarm, before, after, at, reason }: StateChange,
  alarmArn: string,
) => ({
  AlarmName: alarm.alarmName,
  AlarmDescription: alarm.description,
  AWSAccountId: accountId,
  NewStateValue: after,
  NewStateReason: reason,
  OldStateValue: before,
  StateChangeTime: new Date(at).toISOString(),
  Region: region,
  AlarmArn: alarmArn,
});
