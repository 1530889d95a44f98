import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { readLaunches } from '../../../shared/aws/activities.ts';

const launch: Partial<Activity> = {
  Description: 'Launching a new EC2 instance: i-0a1b2c3d4e5f60718',
  StatusCode: 'Successful',
  StartTime: new Date('2026-12-01T08:00:00Z'),
  EndTime: new Date('2026-12-01T08:03:00Z'),
};

const read = (...Activities: readonly Partial<Activity>[]) =>
  readLaunches(
    { send: async () => ({ Activities, $metadata: {} }) } as unknown as AutoScalingClient,
    'workers',
  );

test('the launches of a group are those that ended in service, also from its warm pool', async () => {
  const fromPool = {
    ...launch,
    Description: 'Launching a new EC2 instance from warm pool: i-0a1b2c3d4e5f60718',
  };
  const one = { startedAt: Date.parse('2026-12-01T08:00:00Z'), endedAt: Date.parse('2026-12-01T08:03:00Z') };
  expect(await read(launch, fromPool)).toEqual([one, one]);
});

test('launches into the warm pool, failed ones, those that go on and terminations do not count', async () => {
  const { EndTime: _, ...running } = launch;
  expect(
    await read(
      { ...launch, Description: 'Launching a new EC2 instance into warm pool: i-0a1b2c3d4e5f60718' },
      { ...launch, StatusCode: 'Cancelled' },
      { ...running, StatusCode: 'MidLifecycleAction' },
      { ...launch, Description: 'Terminating EC2 instance: i-0a1b2c3d4e5f60718' },
    ),
  ).toEqual([]);
});
