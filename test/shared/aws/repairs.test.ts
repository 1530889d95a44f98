import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { countHealthReplacements, setUnhealthy } from '../../../shared/aws/repairs.ts';

const since = Date.parse('2026-11-23T08:00:00Z');
const at = (seconds: number): Date => new Date(since + seconds * 1000);

/** The causes of Auto Scaling (user guide, "View the reason for health check failures", and the knowledge center). */
const terminated = (reason: string, StartTime = at(60)): Partial<Activity> => ({
  Description: 'Terminating EC2 instance: i-0a1b2c3d4e5f60718',
  Cause: `At 2026-11-23T08:01:00Z an instance was taken out of service in response to ${reason}.`,
  StartTime,
});
const byUser = terminated('a user health-check');

const clientOf = (pages: Readonly<Record<string, object>>) => {
  const sent: unknown[] = [];
  const send = async ({ input }: { readonly input: { readonly NextToken?: string } }) => {
    sent.push(input);
    return { ...pages[input.NextToken ?? 'first'], $metadata: {} };
  };
  return { sent, client: { send } as unknown as AutoScalingClient };
};

const count = (...Activities: readonly Partial<Activity>[]) =>
  countHealthReplacements(clientOf({ first: { Activities } }).client, 'workers', since);

describe('replacements by health checks', () => {
  it('are counted whatever reported the instance', async () => {
    expect(await count()).toBe(0);
    expect(
      await count(
        byUser,
        terminated('an ELB system health check failure'),
        terminated('an EC2 health check indicating it has been terminated or stopped'),
        terminated('an EC2 instance status checks failure'),
      ),
    ).toBe(4);
  });

  it('are counted from the time on that is given, to the millisecond', async () => {
    expect(await count(terminated('a user health-check', at(0)))).toBe(1);
    expect(await count(terminated('a user health-check', at(-0.001)))).toBe(0);
  });

  it('are counted where an activity has no time', async () => {
    const { StartTime: _, ...timeless } = byUser;
    expect(await count(timeless)).toBe(1);
  });

  it('are neither launches nor terminations of another cause', async () => {
    const launch = { ...byUser, Description: 'Launching a new EC2 instance: i-0a1b2c3d4e5f60718' };
    const scaleIn = {
      ...byUser,
      Cause: 'a user request explicitly set group desired capacity, shrinking the capacity',
    };
    expect(await count(launch, scaleIn, { StartTime: at(1) })).toBe(0);
  });

  it('are counted on older pages too, until a page is too old as a whole', async () => {
    const old = terminated('a user health-check', at(-60));
    const { client, sent } = clientOf({
      first: { Activities: [byUser, old], NextToken: 'second' },
      second: { Activities: [byUser], NextToken: 'third' },
      third: { Activities: [old], NextToken: 'fourth' },
    });
    expect(await countHealthReplacements(client, 'workers', since)).toBe(2);
    expect(sent).toEqual([
      { AutoScalingGroupName: 'workers', MaxRecords: 100 },
      { AutoScalingGroupName: 'workers', MaxRecords: 100, NextToken: 'second' },
      { AutoScalingGroupName: 'workers', MaxRecords: 100, NextToken: 'third' },
    ]);
  });

  it('are unknown if there are more than a thousand activities', async () => {
    const page = { Activities: [byUser], NextToken: 'first' };
    const { client, sent } = clientOf({ first: page });
    await expect(countHealthReplacements(client, 'workers', since)).rejects.toThrow(
      'more than 1000 activities',
    );
    expect(sent).toHaveLength(10);
  });

  it('are not known where the answer has no list', async () => {
    await expect(countHealthReplacements(clientOf({}).client, 'workers', since)).rejects.toThrow(
      'Activities',
    );
  });
});

it('an instance is set Unhealthy within the bounds of its group’s grace period, or regardless of it', async () => {
  const { client, sent } = clientOf({});
  await setUnhealthy(client, 'i-0a1b2c3d4e5f60718');
  await setUnhealthy(client, 'i-0a1b2c3d4e5f60718', { respectsGracePeriod: false });
  const call = { InstanceId: 'i-0a1b2c3d4e5f60718', HealthStatus: 'Unhealthy' };
  expect(sent).toEqual([
    { ...call, ShouldRespectGracePeriod: true },
    { ...call, ShouldRespectGracePeriod: false },
  ]);
});
