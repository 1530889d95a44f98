import { describe, expect, it } from 'vitest';
import { measureDrain } from '../../../scripts/bench/drain.ts';
import { median, requireMeasured, rounded, verdictOf } from '../../../scripts/bench/figure.ts';
import { callLedger, sumOf } from '../../../scripts/bench/ledger.ts';
import { table } from '../../../scripts/bench/report.ts';

describe('a figure', () => {
  it('meets its goal if it equals the goal, and has no verdict without a goal', () => {
    const figure = { name: 'calls', unit: 'calls' };
    expect(verdictOf({ ...figure, value: 4, goal: 4 })).toBe('met');
    expect(verdictOf({ ...figure, value: 4.1, goal: 4 })).toBe('missed');
    expect(verdictOf({ ...figure, value: 4 })).toBe('');
  });

  it('is shown with three significant digits, its goal and the figures of other tools', () => {
    expect([rounded(0.123456), rounded(12.345), rounded(12345.6)]).toEqual([0.123, 12.3, 12346]);
    const text = table([{ name: 'calls', value: 2.804, unit: 'calls', goal: 4, peers: 'NTH 10.8' }]);
    expect(text).toMatch(/calls .* 2\.8 calls .* <= 4 .* met .* NTH 10\.8/);
  });

  it('is never reported without a number', () => {
    const figure = { name: 'calls', unit: 'calls' };
    expect(() => requireMeasured('aws-calls', [{ ...figure, value: 4 }])).not.toThrow();
    expect(() => requireMeasured('aws-calls', [{ ...figure, value: Number.NaN }])).toThrow(
      'aws-calls did not measure: calls',
    );
  });

  it('is the median of many', () => {
    expect(median([5, 1, 9])).toBe(5);
    expect(median([])).toBeNaN();
  });
});

describe('the ledger', () => {
  it('counts the calls of intake and node-leaving to AWS by node, and nothing else', () => {
    const ledger = callLedger();
    for (const caller of ['intake', 'intake', 'node-leaving', 'sweep', 'lambda'])
      ledger.onCall({ to: 'aws', caller, what: 'sqs SendMessageBatch' });
    ledger.onCall({ to: 'kubernetes', caller: 'node-leaving', what: 'GET /api/v1/nodes' });
    expect([...ledger.awsCalls(2)]).toEqual([
      ['intake sqs SendMessageBatch', 1],
      ['node-leaving sqs SendMessageBatch', 0.5],
    ]);
    expect(sumOf(ledger.awsCalls(1))).toBe(3);
  });
});

describe('a measured drain', () => {
  it('takes N + 6 requests per node besides the shared ones, at most 5 calls, and forces no pod', async () => {
    const cost = await measureDrain({ nodes: 10, podsPerNode: 5, before: 1, bounds: 'none' });
    expect(cost.evictions).toBe(5);
    expect(cost.apiRequests).toBeLessThan(5 + 6 + 1);
    expect(sumOf(cost.awsCalls)).toBeLessThanOrEqual(5);
    expect(cost.podsForced).toBe(0);
  });

  it('evicts all of the 100 pods of a full node', async () => {
    const { evictions, apiRequests } = await measureDrain({ nodes: 1, podsPerNode: 100 });
    expect(evictions).toBe(100);
    expect(apiRequests).toBeLessThanOrEqual(100 + 6);
  });

  it('does not begin unless all pods run that were asked for', async () => {
    await expect(measureDrain({ nodes: 1, podsPerNode: 300 })).rejects.toThrow(
      '234 of 300 pods are Running and Ready',
    );
  });

  it('takes twelve calls for a single node that leaves after another one, and two that send notifications', async () => {
    const { awsCalls } = await measureDrain({ nodes: 1, podsPerNode: 5, before: 1 });
    expect(Object.fromEntries(awsCalls)).toEqual({
      'heartbeats sqs ChangeMessageVisibilityBatch': 1,
      'heartbeats ec2 DescribeInstances': 1,
      'heartbeats autoscaling DescribeAutoScalingGroups': 1,
      'intake sqs SendMessageBatch': 2,
      'intake autoscaling DescribeLifecycleHooks': 1,
      'intake autoscaling DescribeAutoScalingInstances': 1,
      'node-leaving autoscaling DescribeAutoScalingGroups': 1,
      'node-leaving autoscaling DescribeLifecycleHooks': 1,
      'node-leaving ec2 DescribeInstances': 1,
      'node-leaving events PutEvents': 2,
      'node-leaving sqs ChangeMessageVisibilityBatch': 1,
      'node-leaving autoscaling CompleteLifecycleAction': 1,
    });
  });
});
