import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { createSandbox, type SandboxOptions } from '@drover/cloud-sandbox';
import { expect, test } from 'vitest';
import {
  measureRates,
  operations,
  type Rate,
  RegionInUseError,
} from '../../../../scripts/account/rates/rates.ts';
import { assumedFor, proposalsFor, renderRates } from '../../../../scripts/account/rates/table.ts';

type Limits = NonNullable<SandboxOptions['requestLimits']>;

function opened(requestLimits: Limits) {
  const sandbox = createSandbox({ requestLimits });
  const client = new AutoScalingClient({ ...sandbox.aws(), maxAttempts: 1 });
  const host = { client, now: () => sandbox.clock.now(), wait: (seconds: number) => sandbox.pass(seconds) };
  return { sandbox, host };
}

const changes = operations.slice(1);

test('the buckets of a simulated account are those that it was given, and changes share one', async () => {
  const reads = { burst: 40, perSecond: 10 };
  const { sandbox, host } = opened({ autoScaling: { reads, changes: { burst: 25, perSecond: 3 } } });
  const rates = await measureRates(host);
  expect(rates.map(({ operation }) => operation)).toEqual(operations);
  for (const { operation, burst, perSecond, sharedWith } of rates) {
    const isRead = operation === 'DescribeAutoScalingGroups';
    expect(burst).toBe(isRead ? 40 : 25);
    expect(Math.abs((perSecond ?? 0) - (isRead ? 10 : 3))).toBeLessThan(0.5);
    expect(sharedWith).toEqual(isRead ? [] : changes.filter((other) => other !== operation));
  }
  const { Activities } = sandbox.account.autoScaling.operations.DescribeScalingActivities({});
  expect(Activities).toEqual([]);
});

test('one bucket for all calls is seen as one', async () => {
  const { host } = opened({ autoScaling: { calls: { burst: 20, perSecond: 5 } } });
  for (const { operation, sharedWith } of await measureRates(host))
    expect(sharedWith).toEqual(operations.filter((other) => other !== operation));
});

test('the documented limits of the sandbox need no change, and others are named', async () => {
  const { host } = opened({
    autoScaling: { reads: assumedFor(operations[0]), changes: assumedFor(operations[1]) },
  });
  expect(proposalsFor(await measureRates(host))).toEqual([]);
  const { host: other } = opened({
    autoScaling: { reads: assumedFor(operations[0]), changes: { burst: 60, perSecond: 2 } },
  });
  const text = renderRates(await measureRates(other));
  for (const operation of changes)
    expect(text).toMatch(new RegExp(`^${operation}: measured 60, then 2`, 'm'));
  expect(text).not.toMatch(/^DescribeAutoScalingGroups: /m);
});

test('an account without limits is a lower bound above what the sandbox assumes', async () => {
  const { host } = opened({});
  const text = renderRates(await measureRates(host));
  expect(text).toMatch(/CompleteLifecycleAction +none refused of 600/);
  expect(text).toMatch(/^CompleteLifecycleAction: AWS accepts more than the sandbox/m);
});

test('a region with any group is refused before the first measured call', async () => {
  const { sandbox, host } = opened({});
  sandbox.addGroup({ autoScalingGroupName: 'theirs', size: 0 });
  sandbox.account.requests.reset();
  await expect(measureRates(host)).rejects.toThrow(RegionInUseError);
  const calls = [...sandbox.account.requests.counts()];
  expect(calls).toEqual([['autoscaling DescribeAutoScalingGroups', { calls: 1, refused: 0 }]]);
});

test('a broken connection and a failure of the service end no measurement, and change no result', async () => {
  const limits = { autoScaling: { calls: { burst: 20, perSecond: 5 } } };
  const undisturbed = await measureRates(opened(limits).host);
  const { host } = opened(limits);
  /** By the number of the call: the read of the groups, and two while the first bucket is emptied. */
  const failures = new Map<number, object>([
    [1, { code: 'ECONNRESET' }],
    [5, { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } }],
    [15, { name: 'TimeoutError' }],
  ]);
  let calls = 0;
  host.client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      const failure = failures.get(calls);
      if (failure !== undefined) throw Object.assign(new Error('no answer'), failure);
      return await next(args);
    },
    { step: 'initialize' },
  );
  const rates = await measureRates(host);
  for (const [index, { burst, perSecond = 0 }] of rates.entries()) {
    expect(Math.abs(burst - (undisturbed[index]?.burst ?? 0))).toBeLessThanOrEqual(2);
    expect(Math.abs(perSecond - 5)).toBeLessThan(1);
  }
});

test('a connection that stays broken ends the measurement with its error', async () => {
  const { host } = opened({});
  const broken = () => Promise.reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  host.client.middlewareStack.add(() => broken, { step: 'initialize' });
  await expect(measureRates(host)).rejects.toThrow('socket hang up');
});

test('each bucket is reported once it is measured, and an error other than a refusal ends the measurement', async () => {
  const { host } = opened({ autoScaling: { calls: { burst: 5, perSecond: 5 } } });
  const seen: Rate[] = [];
  await measureRates({ ...host, onMeasured: (rate) => seen.push(rate) });
  expect(seen.map(({ operation }) => operation)).toEqual(operations);
  const refusing = opened({}).host.client;
  refusing.middlewareStack.add(
    () => () => Promise.reject(Object.assign(new Error('no rights'), { name: 'AccessDenied' })),
    { step: 'initialize' },
  );
  await expect(measureRates({ ...host, client: refusing })).rejects.toThrow('no rights');
});
