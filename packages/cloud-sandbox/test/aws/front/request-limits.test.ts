import { AutoScaling, type AutoScalingServiceException } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { Scheduler } from '@aws-sdk/client-scheduler';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestMeter, documentedLimits } from '../../../src/aws/front/request-limits.ts';
import { createSandbox } from '../../../src/sandbox.ts';
import { createManualClock } from '../support/manual-clock.ts';

const change = { service: 'autoscaling', operation: 'CompleteLifecycleAction', input: {} };
const read = { service: 'autoscaling', operation: 'DescribeAutoScalingGroups', input: {} };

/** Whether AWS accepts a call. */
function createAccount(limits = documentedLimits) {
  const clock = createManualClock();
  const meter = createRequestMeter(clock, limits);
  const accepts = (call: Parameters<typeof meter.admit>[0]): boolean => {
    try {
      meter.admit(call);
      return true;
    } catch {
      return false;
    }
  };
  const acceptedOf = (count: number, call = change): number =>
    Array.from({ length: count }, () => accepts(call)).filter(Boolean).length;
  return { clock, meter, accepts, acceptedOf };
}

describe('a bucket of Auto Scaling', () => {
  it('accepts a burst, and then so many calls a second', () => {
    const { clock, acceptedOf } = createAccount();
    expect(acceptedOf(50)).toBe(20);
    clock.advance(2);
    expect(acceptedOf(50)).toBe(10);
  });

  it('never accepts more than the burst and what it was refilled with, whenever calls come', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 });
    fc.assert(
      fc.property(waits, (milliseconds) => {
        const { clock, accepts } = createAccount();
        const startedAt = clock.now();
        let accepted = 0;
        for (const wait of milliseconds) {
          clock.advance(wait / 1000);
          accepted += Number(accepts(change));
        }
        expect(accepted).toBeLessThanOrEqual(20 + ((clock.now() - startedAt) / 1000) * 5);
      }),
    );
  });

  it('is one for all changes and another for all reads', () => {
    const { accepts, acceptedOf } = createAccount();
    acceptedOf(20);
    expect(accepts({ ...change, operation: 'RecordLifecycleActionHeartbeat' })).toBe(false);
    expect(accepts(read)).toBe(true);
  });

  it('is one for changes and reads together if an account has only one', () => {
    const calls = { burst: 20, perSecond: 5 };
    const { accepts, acceptedOf } = createAccount({ ...documentedLimits, autoScaling: { calls } });
    acceptedOf(20);
    expect(accepts(read)).toBe(false);
  });

  it('is never empty if there are no limits', () => {
    expect(createAccount({} as typeof documentedLimits).acceptedOf(1000)).toBe(1000);
  });
});

describe('the buckets of EC2', () => {
  const describeInstances = (input: object) => ({
    service: 'ec2',
    operation: 'DescribeInstances',
    input: input as Readonly<Record<string, unknown>>,
  });

  it('are larger for reads with ids, filters or pages', () => {
    const { acceptedOf } = createAccount();
    expect(acceptedOf(200, describeInstances({ InstanceIds: ['i-1'] }))).toBe(100);
    expect(acceptedOf(200, describeInstances({}))).toBe(50);
  });

  it('are one for each action', () => {
    const { acceptedOf } = createAccount();
    const act = (operation: string) => acceptedOf(100, { service: 'ec2', operation, input: {} });
    expect([act('RunInstances'), act('TerminateInstances'), act('CreateTags')]).toEqual([5, 50, 50]);
  });
});

describe('the buckets of other services', () => {
  const calls = (service: string, operation: string, input: Readonly<Record<string, unknown>> = {}) => ({
    service,
    operation,
    input,
  });

  it('are one for each FIFO queue and action, of which a batch is one call', () => {
    const { acceptedOf } = createAccount();
    const toQueue = (operation: string, name: string) =>
      acceptedOf(400, calls('sqs', operation, { QueueUrl: `https://sqs.example/1/${name}` }));
    expect(toQueue('SendMessage', 'a.fifo')).toBe(300);
    expect(toQueue('SendMessageBatch', 'a.fifo')).toBe(0);
    expect(toQueue('ChangeMessageVisibilityBatch', 'a.fifo')).toBe(300);
    expect(toQueue('SendMessage', 'b.fifo')).toBe(300);
    expect(toQueue('SendMessage', 'standard')).toBe(400);
    expect(toQueue('GetQueueAttributes', 'a.fifo')).toBe(400);
  });

  it('are one for the reads of values of Parameter Store, and none for its other calls', () => {
    const { acceptedOf } = createAccount();
    expect(acceptedOf(30, calls('ssm', 'GetParameter'))).toBe(30);
    expect(acceptedOf(30, calls('ssm', 'GetParametersByPath'))).toBe(10);
    expect(acceptedOf(100, calls('ssm', 'PutParameter'))).toBe(100);
  });

  it('are one for each action of IAM, and one for the reads of load balancers', () => {
    const { acceptedOf } = createAccount();
    expect(acceptedOf(100, calls('iam', 'GetRole'))).toBe(50);
    expect(acceptedOf(100, calls('iam', 'ListInstanceProfilesForRole'))).toBe(50);
    expect(acceptedOf(100, calls('elasticloadbalancing', 'DescribeTargetHealth'))).toBe(40);
    expect(acceptedOf(100, calls('elasticloadbalancing', 'RegisterTargets'))).toBe(100);
    expect(acceptedOf(100, calls('route53', 'ListResourceRecordSets'))).toBe(100);
  });
});

it('every call is counted, and each refused one too', () => {
  const { meter, acceptedOf } = createAccount();
  acceptedOf(30);
  expect(meter.counts().get('autoscaling CompleteLifecycleAction')).toEqual({ calls: 30, refused: 10 });
  meter.reset();
  expect([...meter.counts()]).toEqual([]);
});

describe('a client of the SDK', () => {
  const tight = { burst: 1, perSecond: 1 };
  const requestLimits = {
    ...documentedLimits,
    autoScaling: { changes: tight, reads: tight },
    ec2: { ...documentedLimits.ec2, unfilteredReads: tight },
    scheduler: tight,
  };

  type Settings = ReturnType<ReturnType<typeof createSandbox>['aws']>;

  it.each([
    [
      'Auto Scaling',
      'Throttling 400',
      (settings: Settings) => new AutoScaling(settings).describeAutoScalingGroups({}),
    ],
    ['EC2', 'RequestLimitExceeded 503', (settings: Settings) => new EC2(settings).describeInstances({})],
    [
      'Scheduler',
      'ThrottlingException 429',
      (settings: Settings) => new Scheduler(settings).listSchedules({}),
    ],
  ] as const)('gets the error of %s', async (_, expected, call) => {
    const once = createSandbox({ seed: 1, requestLimits }).aws();
    await call(once);
    const error: unknown = await call(once).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ message: expect.stringMatching(/exceeded/i) });
    const { name, $metadata } = error as AutoScalingServiceException;
    expect(`${name} ${$metadata.httpStatusCode}`).toBe(expected);
  });
});
