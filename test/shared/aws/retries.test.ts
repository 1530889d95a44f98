import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAutoScaling } from '../../../shared/aws/auto-scaling.ts';
import { autoScalingClient } from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { awsConnection, tryingOnce } from '../../../shared/runtime/aws-connection.ts';
import { autoScalingAnswer, awsOnLoopback, refusal, withoutWaits } from '../../support/aws-on-loopback.ts';

const action = {
  autoScalingGroupName: 'workers',
  lifecycleHookName: 'drover-node-leaving',
  instanceId: 'i-0123456789abcdef0',
};
const done = autoScalingAnswer('RecordLifecycleActionHeartbeat');

const heartbeat = (connection: AwsConnection): Promise<string> =>
  createAutoScaling({
    client: autoScalingClient(connection),
    clusterName: 'prod',
  }).recordHeartbeat(action);

describe('a call to AWS', () => {
  it.each([
    ['a throttle', refusal('Throttling')],
    ['a server error', { status: 503, body: '<html>busy</html>' }],
  ])('succeeds after two failures with %s', async (_, answer) => {
    withoutWaits();
    const { asked, connection } = await awsOnLoopback([answer, answer, done]);
    expect(await heartbeat(connection())).toBe('recorded');
    expect(asked.map(({ headers }) => headers['amz-sdk-request'])).toEqual([
      'attempt=1; max=3',
      'attempt=2; max=3',
      'attempt=3; max=3',
    ]);
  });

  it('fails with the third throttle', async () => {
    withoutWaits();
    const throttle = refusal('Throttling');
    const { connection } = await awsOnLoopback([throttle, throttle, throttle]);
    await expect(heartbeat(connection())).rejects.toMatchObject({ cause: { name: 'Throttling' } });
  });

  it('is made once if AWS refuses it', async () => {
    const { asked, connection } = await awsOnLoopback([refusal('AccessDenied', 403)]);
    await expect(heartbeat(connection())).rejects.toMatchObject({ name: 'AccessDenied' });
    expect(asked).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const waits = withoutWaits();
    const later = { ...refusal('Throttling'), headers: { 'retry-after': '4' } };
    const { connection } = await awsOnLoopback([later, done]);
    expect(await heartbeat(connection())).toBe('recorded');
    expect(Math.max(...waits)).toBeGreaterThan(3900);
  });

  it('is retried if DNS fails once', async () => {
    withoutWaits();
    const { asked, connection } = await awsOnLoopback([done]);
    let lookups = 0;
    const flaky = connection(async (request) => {
      lookups += 1;
      if (lookups === 1)
        throw Object.assign(new Error('getaddrinfo EAI_AGAIN autoscaling'), { code: 'EAI_AGAIN' });
      return await sendHttp(request);
    });
    expect(await heartbeat(flaky)).toBe('recorded');
    expect([lookups, asked.length]).toEqual([2, 1]);
  });

  it('is signed again with the time of AWS if the clock is half an hour off', async () => {
    withoutWaits();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now - 30 * 60_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { asked, connection } = await awsOnLoopback(({ headers }) => {
      const headersOfAnswer = { date: new Date(now).toUTCString() };
      const age = now - signedAt(headers['x-amz-date']);
      const answer = Math.abs(age) > 5 * 60_000 ? refusal('SignatureDoesNotMatch', 403) : done;
      return { ...answer, headers: headersOfAnswer };
    });
    expect(await heartbeat(connection())).toBe('recorded');
    expect(asked).toHaveLength(2);
  });
});

const signedAt = (timestamp: string | string[] | undefined): number =>
  Date.parse(String(timestamp).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

it('a call to AWS over HTTP is made once if its function decides itself when to try again', async () => {
  withoutWaits();
  const { asked, connection } = await awsOnLoopback([refusal('Throttling'), done]);
  const once = tryingOnce({
    environment: { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
    clock: { now: () => Date.now() },
    sendHttp,
  });
  const { maxAttempts } = once;
  expect(maxAttempts).toBe(1);
  await expect(heartbeat({ ...connection(), ...(maxAttempts && { maxAttempts }) })).rejects.toMatchObject({
    cause: { name: 'Throttling' },
  });
  expect(asked).toHaveLength(1);
});

it('each attempt that AWS refuses for its rate is reported with its service and operation', async () => {
  withoutWaits();
  const { connection } = await awsOnLoopback([refusal('Throttling'), refusal('Throttling'), done]);
  const throttled: unknown[] = [];
  const onThrottled = (call: unknown): void => {
    throttled.push(call);
  };
  expect(await heartbeat({ ...connection(), onThrottled })).toBe('recorded');
  const call = { service: 'AutoScaling', operation: 'RecordLifecycleActionHeartbeat' };
  expect(throttled).toEqual([call, call]);
});

it('a call that AWS refuses for another reason is not reported as too fast', async () => {
  const { connection } = await awsOnLoopback([refusal('AccessDenied', 403)]);
  const onThrottled = (): never => {
    throw new Error('reported');
  };
  await expect(heartbeat({ ...connection(), onThrottled })).rejects.toMatchObject({ name: 'AccessDenied' });
});

describe('a call to AWS through the simulation’s handler', () => {
  /** A heartbeat that AWS throttles, with what the handler was given of each attempt. */
  async function throttled(host: { readonly awsMaxAttempts?: number } = {}) {
    const timeouts: unknown[] = [];
    const connection = awsConnection({
      environment: { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
      clock: { now: () => 0 },
      sendHttp,
      awsRequestHandler: {
        handle: async (_request, options) => {
          timeouts.push(options?.requestTimeout);
          const { status: statusCode = 0, body = '' } = refusal('Throttling');
          return { response: { statusCode, headers: {}, body: Buffer.from(body) } };
        },
      },
      ...host,
    });
    await expect(heartbeat(connection)).rejects.toMatchObject({ cause: { name: 'Throttling' } });
    return timeouts;
  }

  it('is made once and uses no real timer, because time is simulated', async () => {
    const waits = withoutWaits();
    expect(await throttled()).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('is made as often as a host says that replaces the timers', async () => {
    const waits = withoutWaits();
    expect(await throttled({ awsMaxAttempts: 3 })).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  it('has the time limit that it has over HTTP', async () => {
    expect(await throttled()).toEqual([5000]);
  });
});
