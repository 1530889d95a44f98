import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { readWarmPoolWaits } from '../../../shared/aws/warm-pools.ts';
import { groupWith } from '../capacity/fixtures.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 12, minute));
const activity = (instanceId: string, StartTime: Date): Activity => ({
  ActivityId: instanceId,
  AutoScalingGroupName: 'workers',
  Cause: '',
  StatusCode: 'InProgress',
  Description: `Launching a new EC2 instance into warm pool: ${instanceId}`,
  StartTime,
});

/** Auto Scaling with one waiting instance in each pool. */
function clientWith(
  activities: readonly Activity[],
  NextToken?: string,
  { refusesPool = 0 }: { readonly refusesPool?: number } = {},
) {
  const asked = { pools: 0 };
  const running = { now: 0, most: 0 };
  const answers = {
    DescribeWarmPoolCommand: {
      Instances: [
        { InstanceId: 'i-new', LifecycleState: 'Warmed:Pending:Wait', AvailabilityZone: 'eu-west-1a' },
      ],
    },
    DescribeScalingActivitiesCommand: { Activities: activities, NextToken },
  };
  const send = async ({ constructor: { name } }: { readonly constructor: { readonly name: string } }) => {
    if (name === 'DescribeWarmPoolCommand' && ++asked.pools === refusesPool) throw new Error('Rate exceeded');
    running.most = Math.max(running.most, ++running.now);
    await new Promise((resolve) => setImmediate(resolve));
    running.now -= 1;
    return { $metadata: {}, ...answers[name as keyof typeof answers] };
  };
  return { client: { send } as unknown as AutoScalingClient, running, asked };
}

const pools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...groupWith([], { autoScalingGroupName: `workers-${index}` }),
    hasWarmPool: true as const,
  }));

describe('the start of a wait in a warm pool', () => {
  it.each<[string, Activity[], string | undefined, Date | undefined]>([
    ['is that of its activity', [activity('i-new', at(5))], undefined, at(5)],
    ['is unknown while no activity names it', [activity('i-other', at(5))], undefined, undefined],
    ['is before the oldest activity of the first page', [activity('i-other', at(5))], 'more', at(5)],
    ['is unknown without activities', [], undefined, undefined],
  ])('%s', async (_, activities, nextToken, since) => {
    const [wait] = await readWarmPoolWaits(clientWith(activities, nextToken).client, pools(1));
    expect(wait?.since).toBe(since?.getTime());
  });
});

it('asks no further pool once one is refused', async () => {
  const { client, asked } = clientWith([], undefined, { refusesPool: 2 });
  await expect(readWarmPoolWaits(client, pools(9))).rejects.toThrow('Rate exceeded');
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(asked.pools).toBe(4);
});

it('reads a few warm pools at the same time, and gives the waits in the order of the groups', async () => {
  const { client, running } = clientWith([]);
  const waits = await readWarmPoolWaits(client, pools(9));
  expect(waits.map(({ autoScalingGroupName }) => autoScalingGroupName)).toEqual(
    pools(9).map(({ autoScalingGroupName }) => autoScalingGroupName),
  );
  expect(running.most).toBe(4);
});
