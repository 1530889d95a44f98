import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandInput,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { expect, it } from 'vitest';
import type { Alarm, StateChange } from '../../../src/aws/cloudwatch/cloudwatch.ts';
import { createMonitoring } from '../../../src/aws/cloudwatch/monitoring.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestFront } from '../support/test-front.ts';

const alarm = (alarmName: string): Alarm => ({
  alarmName,
  description: `why ${alarmName}`,
  metrics: [],
  comparisonOperator: 'GreaterThanThreshold',
  threshold: 0,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  treatMissingData: 'missing',
  alarmActions: ['arn:topic'],
  okActions: [],
  insufficientDataActions: [],
});

const names = ['drover-dev-pass-age', 'drover-dev-undelivered', 'drover-prod-pass-age', 'other'];

function setUp() {
  const clock = createManualClock();
  const monitoring = createMonitoring({ clock, accountId: '123456789012', region: 'eu-west-1' });
  const alarms = names.map(alarm);
  const [raised] = alarms;
  const history: StateChange[] = raised
    ? [{ alarm: raised, before: 'OK', after: 'ALARM', at: clock.now() + 60_000, reason: 'Threshold Crossed' }]
    : [];
  monitoring.controls.watch({
    alarms,
    stateOf: (name) => (name === names[0] ? 'ALARM' : 'OK'),
    reasonOf: () => undefined,
    setState: (name) => names.includes(name),
    history: () => history,
    performed: () => [
      { alarmName: 'other', action: 'arn:one', at: 1000 },
      { alarmName: 'other', action: 'arn:two', at: 2000, error: 'no policy' },
      { alarmName: 'drover-dev-pass-age', action: 'arn:one', at: 3000 },
    ],
  });
  const client = new CloudWatchClient(createTestFront({ services: [monitoring], clock }).clientOptions);
  const describe = (input: DescribeAlarmsCommandInput) => client.send(new DescribeAlarmsCommand(input));
  return { clock, client, describe };
}

const namesOf = ({ MetricAlarms = [] }: { readonly MetricAlarms?: readonly { AlarmName?: string }[] }) =>
  MetricAlarms.map(({ AlarmName }) => AlarmName);

it('describes the alarms with a prefix, in pages, with the time of the last change of state', async () => {
  const { clock, describe } = setUp();
  const first = await describe({ AlarmNamePrefix: 'drover-', MaxRecords: 2 });
  expect(first.MetricAlarms?.[0]).toMatchObject({
    AlarmName: 'drover-dev-pass-age',
    AlarmDescription: 'why drover-dev-pass-age',
    StateValue: 'ALARM',
    StateTransitionedTimestamp: new Date(clock.now() + 60_000),
  });
  const second = await describe({ AlarmNamePrefix: 'drover-', MaxRecords: 2, NextToken: first.NextToken });
  expect([...namesOf(first), ...namesOf(second)]).toEqual(names.slice(0, 3));
  expect(second.NextToken).toBeUndefined();
});

it('describes alarms by their names and by their state, and not by names and a prefix', async () => {
  const { describe } = setUp();
  expect(namesOf(await describe({ AlarmNames: ['other', 'none'] }))).toEqual(['other']);
  expect(namesOf(await describe({ StateValue: 'ALARM' }))).toEqual([names[0]]);
  await expect(describe({ AlarmNames: ['other'], AlarmNamePrefix: 'o' })).rejects.toMatchObject({
    name: expect.stringMatching(/^Validation/),
  });
});

it('sets the state of an alarm that there is', async () => {
  const { client } = setUp();
  const set = (AlarmName: string) =>
    client.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason: 'a test' }));
  await expect(set('other')).resolves.toBeDefined();
  await expect(set('none')).rejects.toMatchObject({ name: 'ResourceNotFound' });
});

it('says what became of the actions of an alarm, the newest first', async () => {
  const { client } = setUp();
  const { AlarmHistoryItems: items = [] } = await client.send(
    new DescribeAlarmHistoryCommand({ AlarmName: 'other', HistoryItemType: 'Action' }),
  );
  expect(items.map(({ HistorySummary }) => HistorySummary)).toEqual([
    'Failed to execute action arn:two. Received error: "no policy"',
    'Successfully executed action arn:one',
  ]);
});
