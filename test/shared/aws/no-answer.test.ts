import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { ListSchedulesCommand } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { autoScalingClient, schedulerClient, sqsClient, ssmClient } from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { statusOf } from '../../../shared/aws/errors.ts';

const connection = (error: Error, part: Partial<AwsConnection> = {}): AwsConnection => ({
  region: 'eu-west-1',
  credentials: () => ({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' }),
  requestHandler: {
    handle: async () => {
      throw error;
    },
  },
  clock: { now: () => Date.now() },
  maxAttempts: 1,
  ...part,
});

const silence = Object.assign(new Error('no byte within 5000 ms'), { name: 'TimeoutError' });
const withCode = (code: string): Error => Object.assign(new Error(`no connection (${code})`), { code });

const messageFrom = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => 'it was answered',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const describeGroups = (error: Error, part: Partial<AwsConnection> = {}) =>
  autoScalingClient(connection(error, part)).send(new DescribeAutoScalingGroupsCommand({}));

describe('the error of a call that AWS does not answer', () => {
  it.each([
    [
      'a form',
      () => describeGroups(silence),
      /^Auto Scaling does not answer DescribeAutoScalingGroups at autoscaling\.eu-west-1\.amazonaws\.com \(/,
    ],
    [
      'a header',
      () => ssmClient(connection(silence)).send(new GetParameterCommand({ Name: '/x' })),
      /^SSM does not answer GetParameter at ssm\.eu-west-1/,
    ],
    [
      'a path',
      () => schedulerClient(connection(silence)).send(new ListSchedulesCommand({})),
      /^Scheduler does not answer GET \/schedules at scheduler\.eu-west-1/,
    ],
    [
      'SQS, whose answers need no request id,',
      () => sqsClient(connection(silence)).send(new ListQueuesCommand({})),
      /^SQS does not answer ListQueues at sqs\.eu-west-1/,
    ],
  ])('names service, operation and host, as in %s', async (_, call, message) => {
    expect(await messageFrom(call())).toMatch(message);
  });

  it.each([
    ['a silence', silence, 'a private subnet needs a NAT gateway, or a VPC endpoint'],
    ['an unknown name', withCode('ENOTFOUND'), 'check the region, and DNS'],
    ['a refused connection', withCode('ECONNREFUSED'), 'check routes, proxies and firewalls'],
    ['a broken connection', withCode('ECONNRESET'), 'the connection broke: try again later'],
    [
      'an answer that is not HTTP',
      withCode('HPE_INVALID_CONSTANT'),
      'something else than AWS answers: is there a proxy?',
    ],
  ])('has the remedy for %s', async (_, error, remedy) => {
    expect(await messageFrom(describeGroups(error))).toContain(`(${remedy}`);
  });

  it('names the variable if it sets the address, and the port', async () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
    expect(await messageFrom(describeGroups(withCode('ECONNREFUSED'), { environment }))).toBe(
      'Auto Scaling does not answer DescribeAutoScalingGroups at 127.0.0.1:4566 (check AWS_ENDPOINT_URL, and that something listens there)',
    );
  });

  it('keeps what the SDK and the adapters know the error by, and the error itself as its cause', async () => {
    const refused = withCode('ECONNREFUSED');
    await expect(describeGroups(refused)).rejects.toMatchObject({ code: 'ECONNREFUSED', cause: refused });
    await expect(describeGroups(silence)).rejects.toMatchObject({ name: 'TimeoutError', cause: silence });
    await expect(describeGroups(silence)).rejects.toSatisfy((error) => statusOf(error) === undefined);
  });

  it('is tried again by the SDK', async () => {
    let attempts = 0;
    const handle = () => {
      attempts += 1;
      return Promise.reject(silence);
    };
    const part = { maxAttempts: 2, requestHandler: { handle } };
    await expect(describeGroups(silence, part)).rejects.toThrow(/does not answer/);
    expect(attempts).toBe(2);
  });

  it('is another one where something else went wrong', async () => {
    const error = new Error('the answer is too long');
    await expect(describeGroups(error)).rejects.toBe(error);
  });
});
