import type { Activity } from '@aws-sdk/client-auto-scaling';
import { expect, it } from 'vitest';
import { failedLaunchesOf, readActivityFact } from '../../../cli/report/fold/launches.ts';

const end = new Date('2026-01-05T08:00:00Z');
const activity = (parts: Partial<Activity>): Activity => ({
  ActivityId: '1',
  AutoScalingGroupName: 'workers',
  Cause: '',
  StartTime: end,
  EndTime: end,
  StatusCode: 'Successful',
  Description: 'Launching a new EC2 instance: i-0123456789abcdef0',
  ...parts,
});
const noCapacity = (id: string, zone = 'a', at = end): Activity =>
  activity({
    EndTime: at,
    StatusCode: 'Failed',
    Description: `Launching a new EC2 instance: ${id}`,
    StatusMessage: `Instance ${id} became unhealthy while waiting, in eu-west-1${zone}. Token 0d3c4a5b-1111-2222-3333-444455556666`,
  });

it.each([
  ['a launch', {}, { kind: 'launched' }],
  [
    'a launch from a warm pool',
    { Description: 'Launching a new EC2 instance from warm pool: i-0123456789abcdef0' },
    { kind: 'launched' },
  ],
  [
    'a termination',
    { Description: 'Terminating EC2 instance: i-0123456789abcdef0' },
    { kind: 'terminated', instanceId: 'i-0123456789abcdef0' },
  ],
  [
    'a cancelled launch',
    { StatusCode: 'Cancelled' as const },
    { kind: 'launch-failed', reason: 'it is Cancelled' },
  ],
])('%s counts', (_, parts, expected) => {
  expect(readActivityFact(activity(parts))).toMatchObject({
    group: 'workers',
    at: end.getTime(),
    ...expected,
  });
});

it.each([
  ['that goes on', { EndTime: undefined }],
  ['into a warm pool', { Description: 'Launching a new EC2 instance into warm pool: i-0123456789abcdef0' }],
  [
    'that terminates in a warm pool',
    { Description: 'Terminating EC2 instance from warm pool: i-0123456789abcdef0' },
  ],
  ['of another kind', { Description: 'Moving EC2 instance to Standby: i-0123456789abcdef0' }],
])('an activity %s does not count', (_, parts) => {
  expect(readActivityFact(activity(parts))).toBeUndefined();
});

// https://github.com/spinnaker/deck/pull/242: the same cause in many activities.
it('launches that failed for one reason are one line, without the ids in it, the most frequent first', () => {
  const later = new Date(end.getTime() + 60_000);
  const facts = [
    noCapacity('i-0000000000000000b', 'b'),
    noCapacity('i-0000000000000000a'),
    noCapacity('i-0000000000000000c', 'a', later),
    activity({}),
  ].flatMap((one) => readActivityFact(one) ?? []);
  expect(failedLaunchesOf(facts)).toEqual([
    {
      group: 'workers',
      reason: 'Instance i-ID became unhealthy while waiting, in eu-west-1a. Token ID',
      count: 2,
      last: later.getTime(),
    },
    expect.objectContaining({ count: 1, reason: expect.stringContaining('eu-west-1b') }),
  ]);
});
