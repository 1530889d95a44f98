import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { expect, it } from 'vitest';
import { withWarmPools } from '../../../shared/aws/pooled-groups.ts';
import { groupOf } from '../../support/waiting-group.ts';

/** A client whose every call is refused. */
function refusing() {
  const client = new AutoScalingClient({ region: 'eu-central-1' });
  let calls = 0;
  client.send = () => {
    calls += 1;
    return Promise.reject(new Error('not authorized to perform: autoscaling:DescribeWarmPool'));
  };
  return { client, calls: () => calls };
}

it('a pool that may not be read is a warning, and its group is shown without it', async () => {
  const group = { ...groupOf({ 'i-0aaaaaaaaaaaaaaaa': 'InService' }), hasWarmPool: true } as const;
  expect(await withWarmPools([group], refusing())).toEqual({
    groups: [group],
    warnings: [
      'the warm pool of workers could not be read: not authorized to perform: autoscaling:DescribeWarmPool',
    ],
  });
});

it('a group without a pool costs no call', async () => {
  const { client, calls } = refusing();
  const group = groupOf({ 'i-0aaaaaaaaaaaaaaaa': 'InService' });
  expect(await withWarmPools([group], { client })).toEqual({ groups: [group], warnings: [] });
  expect(calls()).toBe(0);
});
