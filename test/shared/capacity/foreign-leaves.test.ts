import { describe, expect, it } from 'vitest';
import { foreignLeaves } from '../../../shared/capacity/foreign-leaves.ts';
import type { GroupActivity } from '../../../shared/capacity/groups.ts';
import { instanceId } from './fixtures.ts';

const at = '2026-11-21T08:00:00Z';
const change = { from: 3, desired: 1 };

const activity = (
  cause: string,
  description = `Terminating EC2 instance: ${instanceId(1)}`,
): GroupActivity => ({
  activityId: 'a',
  status: 'InProgress',
  description,
  cause,
  startedAt: at,
});

const chosen = `At ${at} an instance was taken out of service in response to a difference between desired and actual capacity, shrinking the capacity from 3 to 2.  At ${at} instance ${instanceId(1)} was selected for termination.`;
const set = (from: number, to: number): string =>
  `At ${at} a user request explicitly set group desired capacity changing the desired capacity from ${from} to ${to}.  `;

describe('the leave of an instance during a scale-in', () => {
  it.each([
    ['for the change of the desired capacity', `${set(3, 1)}${chosen}`],
    ['for a change that Auto Scaling no longer names', chosen],
    ['for a change after one that it also names', `${set(5, 3)}${set(3, 1)}${chosen}`],
    [
      'for an update of the group, as EKS makes it',
      `At ${at} a user request update of AutoScalingGroup constraints to min: 1, max: 5, desired: 1 changing the desired capacity from 3 to 1.  ${chosen}`,
    ],
  ])('is the scale-in’s %s', (_, cause) => {
    expect(foreignLeaves([activity(cause)], change)).toEqual(new Set());
  });

  it.each([
    [
      'a user terminated it',
      `At ${at} instance ${instanceId(1)} was taken out of service in response to a user request.`,
    ],
    [
      'a user terminated it and lowered the number',
      `At ${at} instance ${instanceId(1)} was taken out of service in response to a user request, shrinking the capacity from 3 to 2.`,
    ],
    [
      'it failed a check',
      `At ${at} an instance was taken out of service in response to an EC2 health check indicating it has been terminated or stopped.`,
    ],
    ['an earlier scale-in chose it', `${set(13, 11)}${chosen}`],
    ['an earlier scale-in to less chose it', `${set(3, 0)}${chosen}`],
  ])('is foreign where %s', (_, cause) => {
    expect(foreignLeaves([activity(cause)], change)).toEqual(new Set([instanceId(1)]));
  });

  it('is judged by the newest activity, and activities of other kinds say nothing', () => {
    const user = `At ${at} instance was taken out of service in response to a user request.`;
    const newestFirst = [
      activity(user, `Launching a new EC2 instance: ${instanceId(2)}`),
      activity(chosen),
      activity(user),
    ];
    expect(foreignLeaves(newestFirst, change)).toEqual(new Set());
    expect(foreignLeaves(newestFirst.toReversed(), change)).toEqual(new Set([instanceId(1)]));
  });
});
