import { ListResourceRecordSetsCommand } from '@aws-sdk/client-route-53';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { createAskSts } from '../../../shared/aws/ask-sts.ts';
import { autoScalingClient, route53Client, sqsClient, ssmClient } from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';
import type { CallOutcome, Trace, TracedCall } from '../../../shared/base/trace.ts';
import { awsOnLoopback, refusal, withoutWaits } from '../../support/aws-on-loopback.ts';

type Recorded = TracedCall & Partial<CallOutcome>;

function createTraceInMemory() {
  const calls: Recorded[] = [];
  const trace: Trace = {
    traceId: () => undefined,
    begin: (call) => {
      const index = calls.push(call) - 1;
      return (outcome) => {
        calls[index] = { ...call, ...outcome };
      };
    },
    showOpenCalls: () => {},
  };
  return { calls, trace };
}

const read = (connection: AwsConnection) =>
  ssmClient(connection).send(new GetParameterCommand({ Name: '/drover/prod/secret', WithDecryption: true }));

describe('a call to AWS with a trace', () => {
  it('is recorded by its service, its operation and the status of its answer', async () => {
    const { calls, trace } = createTraceInMemory();
    const { connection } = await awsOnLoopback([{ body: '{"Parameter":{"Value":"x"}}' }]);
    await read({ ...connection(), trace });
    expect(calls).toEqual([
      { name: 'SSM', namespace: 'aws', operation: 'GetParameter', region: 'eu-west-1', status: 200 },
    ]);
  });

  it('is recorded for each attempt, a throttled one as such', async () => {
    withoutWaits();
    const { calls, trace } = createTraceInMemory();
    const throttle = { status: 400, body: '{"__type":"ThrottlingException","message":"Rate exceeded"}' };
    const { connection } = await awsOnLoopback([throttle, { body: '{"Parameter":{"Value":"x"}}' }]);
    await read({ ...connection(), maxAttempts: 3, trace });
    expect(calls).toMatchObject([
      { status: 400, isThrottled: true, errorName: 'ThrottlingException' },
      { status: 200 },
    ]);
    expect(calls[1]).not.toHaveProperty('errorName');
  });

  it('fails with the same error as without one, and only the name of the error is recorded', async () => {
    const { calls, trace } = createTraceInMemory();
    const { connection } = await awsOnLoopback(() => ({
      status: 400,
      body: '{"__type":"AccessDeniedException","message":"arn:aws:sts::1:assumed-role/x is not authorized"}',
    }));
    const untraced = await read(connection()).catch((error: unknown) => error);
    await expect(read({ ...connection(), trace })).rejects.toEqual(untraced);
    expect(calls).toMatchObject([{ status: 400, errorName: 'AccessDeniedException', isThrottled: false }]);
    expect(JSON.stringify(calls)).not.toContain('arn:');
  });

  it('has no status if nothing answers', async () => {
    const { calls, trace } = createTraceInMemory();
    const { connection } = await awsOnLoopback([]);
    const broken = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    await expect(
      read({ ...connection(() => Promise.reject(broken)), maxAttempts: 1, trace }),
    ).rejects.toThrow('SSM does not answer');
    expect(calls).toMatchObject([{ operation: 'GetParameter', status: undefined, errorName: 'Error' }]);
  });

  it('does not record a zone, bucket or key from the path', async () => {
    const { calls, trace } = createTraceInMemory();
    const { connection } = await awsOnLoopback(() => refusal('AccessDenied', 403));
    const traced = { ...connection(), trace };
    const input = { HostedZoneId: 'Z0123456789ABC' };
    await expect(route53Client(traced).send(new ListResourceRecordSetsCommand(input))).rejects.toThrow();
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
    const object = new HeadObjectCommand({ Bucket: 'snapshots', Key: 'secret-key' });
    await expect(s3Client(traced).send(object)).rejects.toThrow();
    expect(calls.map(({ name, operation, status }) => [name, operation, status])).toEqual([
      ['Route53', 'ListResourceRecordSets', 403],
      ['S3', 'HeadObject', 403],
    ]);
    expect(JSON.stringify(calls)).not.toMatch(/Z0123|snapshots|secret-key/);
  });

  it('is recorded for queues, and for the question whose a token is', async () => {
    const { calls, trace } = createTraceInMemory();
    const { connection, environment } = await awsOnLoopback(() => ({ body: '{"Successful":[]}' }));
    const traced = { ...connection(), trace };
    const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/leaving';
    const queue = createSqsQueue({ client: sqsClient(traced), queueUrl });
    await queue.send([{ body: 'x', groupId: 'i', dedupId: 'd' }] as never).catch(() => {});
    const ask = createAskSts({ ...traced, clusterId: 'prod', endpoint: environment.AWS_ENDPOINT_URL });
    await ask({ host: 'sts.eu-west-1.amazonaws.com', query: { 'X-Amz-Signature': 'secret' } } as never);
    expect(calls.map(({ name, operation }) => [name, operation])).toEqual([
      ['SQS', 'SendMessageBatch'],
      ['STS', 'GetCallerIdentity'],
    ]);
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  it('changes no request: without a trace the client has no step of ours', async () => {
    const { trace } = createTraceInMemory();
    const { connection } = await awsOnLoopback([]);
    const steps = (traced: AwsConnection) => autoScalingClient(traced).middlewareStack.identify().length;
    expect(steps({ ...connection(), trace })).toBe(steps(connection()) + 1);
  });
});
