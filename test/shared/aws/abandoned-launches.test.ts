import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { countAbandonedLaunches } from '../../../shared/aws/activities.ts';

const EndTime = new Date('2026-11-23T08:00:00Z');
const launch = (StatusCode: string, StatusMessage?: string): Partial<Activity> => ({
  Description: 'Launching a new EC2 instance: i-0a1b2c3d4e5f60718',
  StatusCode: StatusCode as Activity['StatusCode'],
  EndTime,
  ...(StatusMessage && { StatusMessage }),
});
/** The words of Auto Scaling (user guide, "Troubleshoot lifecycle hooks"). */
const abandoned = (end: string) =>
  launch(
    'Cancelled',
    `Instance failed to complete user's Lifecycle Action: Lifecycle Action with token 71514b9d-6a40-4b26-8523-05e7ee35fa40 was abandoned: ${end}`,
  );
const byUs = abandoned('Lifecycle Action Completed with ABANDON Result');
const byTimeout = abandoned('Heartbeat Timeout');

const count = (...Activities: readonly Partial<Activity>[]) =>
  countAbandonedLaunches(
    { send: async () => ({ Activities, $metadata: {} }) } as unknown as AutoScalingClient,
    'workers',
  );

test('launches that were abandoned since the last good one are counted, whatever abandoned them', async () => {
  expect(await count()).toBe(0);
  expect(await count(byUs, byTimeout, launch('Successful'), byUs)).toBe(2);
  expect(await count(launch('Successful'), byUs, byUs)).toBe(0);
});

test('launches that go on, that failed otherwise, and terminations are not counted', async () => {
  const { EndTime: _, ...running } = launch('MidLifecycleAction');
  const termination = {
    ...launch('Successful'),
    Description: 'Terminating EC2 instance: i-0a1b2c3d4e5f60718',
  };
  const noCapacity = launch('Failed', 'We currently do not have sufficient capacity');
  expect(await count(running, termination, noCapacity, byUs)).toBe(1);
});

test('launches on older pages are counted, until the last good one', async () => {
  const pages: Readonly<Record<string, object>> = {
    first: { Activities: [launch('Failed', 'no capacity')], NextToken: 'second' },
    second: { Activities: [byUs, launch('Failed', 'no capacity')], NextToken: 'third' },
    third: { Activities: [byUs, launch('Successful'), byUs], NextToken: 'fourth' },
  };
  const send = async ({ input: { NextToken = 'first' } }: { input: { NextToken?: string } }) => ({
    ...pages[NextToken],
    $metadata: {},
  });
  expect(await countAbandonedLaunches({ send } as unknown as AutoScalingClient, 'workers')).toBe(2);
});

test('an answer without a list is an error, and no empty list', async () => {
  const client = { send: async () => ({ $metadata: {} }) } as unknown as AutoScalingClient;
  await expect(countAbandonedLaunches(client, 'workers')).rejects.toThrow('Activities');
});
