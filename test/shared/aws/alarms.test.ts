import type { CloudWatchClient, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { readAlarms, readNamedAlarms } from '../../../shared/aws/alarms.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now - seconds * 1000);

async function isRaised(alarm: MetricAlarm): Promise<boolean | undefined> {
  const client = {
    send: () =>
      Promise.resolve({
        MetricAlarms: [{ AlarmName: 'drover-dev-sweep-missing', Period: 300, ...alarm }],
        $metadata: {},
      }),
  };
  const [read] = await readAlarms(client as unknown as CloudWatchClient, 'drover-', { now: () => now });
  return read?.isRaised;
}

const silent = { StateValue: 'ALARM', TreatMissingData: 'breaching' } as const;

describe('an alarm on silence', () => {
  it('does not count before it can have seen that much silence', async () => {
    const StateTransitionedTimestamp = ago(110);
    for (const [seconds, counts] of [
      [120, false],
      [899, false],
      [901, true],
    ] as const)
      expect(
        await isRaised({
          ...silent,
          AlarmConfigurationUpdatedTimestamp: ago(seconds),
          StateTransitionedTimestamp,
        }),
      ).toBe(counts);
  });

  it('still counts right after a deploy that changes it, if it was raised before', async () => {
    expect(
      await isRaised({
        ...silent,
        AlarmConfigurationUpdatedTimestamp: ago(60),
        StateTransitionedTimestamp: ago(7200),
      }),
    ).toBe(true);
  });
});

describe('named alarms', () => {
  const described = (answer: object) =>
    ({ send: () => Promise.resolve({ ...answer, $metadata: {} }) }) as unknown as CloudWatchClient;

  it('are in alarm, or do not exist', async () => {
    const client = described({
      MetricAlarms: [
        { AlarmName: 'errors', StateValue: 'ALARM' },
        { AlarmName: 'latency', StateValue: 'OK' },
        { AlarmName: 'new', StateValue: 'INSUFFICIENT_DATA' },
      ],
      CompositeAlarms: [{ AlarmName: 'shop', StateValue: 'ALARM' }],
    });
    expect(await readNamedAlarms(client, ['shop', 'errors', 'latency', 'new', 'erors'])).toEqual({
      inAlarm: ['shop', 'errors'],
      unknown: ['erors'],
    });
  });

  it('are not read without names, because CloudWatch would describe all alarms', async () => {
    const client = { send: () => Promise.reject(new Error('asked')) } as unknown as CloudWatchClient;
    expect(await readNamedAlarms(client, [])).toEqual({ inAlarm: [], unknown: [] });
  });

  it('are not taken for unknown if the answer has no list', async () => {
    await expect(readNamedAlarms(described({}), ['errors'])).rejects.toThrow('MetricAlarms');
  });
});
