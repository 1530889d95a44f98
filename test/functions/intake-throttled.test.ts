import { expect, it } from 'vitest';
import { readBatchSample } from '../../events/index.ts';
import { create } from '../../functions/intake.ts';
import { sendHttp } from '../../shared/net/send-http.ts';
import { autoScalingAnswer, awsOnLoopback, refusal, withoutWaits } from '../support/aws-on-loopback.ts';

const queue = (name: string): string => `https://sqs.eu-west-1.amazonaws.com/123456789012/${name}`;

const group = `<member><AutoScalingGroupName>drover-workers</AutoScalingGroupName><Instances/>
  <Tags>
    <member><Key>kubernetes.io/cluster/drover</Key><Value>owned</Value></member>
    <member><Key>drover.dev/role</Key><Value>worker</Value></member>
  </Tags></member>`;
const groups = autoScalingAnswer(
  'DescribeAutoScalingGroups',
  `<AutoScalingGroups>${group}</AutoScalingGroups>`,
);
const hooks = autoScalingAnswer('DescribeLifecycleHooks', '<LifecycleHooks/>');
const sent = { body: JSON.stringify({ Successful: [{ Id: '0', MessageId: 'm' }] }) };
const busy = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.sqs#RequestThrottled', message: 'slow down' }),
};

it('the function intake takes its batch although Auto Scaling and SQS throttle a call each', async () => {
  withoutWaits();
  const { asked, environment } = await awsOnLoopback([
    refusal('Throttling'),
    groups,
    hooks,
    sent,
    busy,
    sent,
  ]);
  const intake = create({
    environment: {
      ...environment,
      DROVER_CLUSTER: 'drover',
      DROVER_INBOX_QUEUE_URL: queue('inbox'),
      DROVER_INBOX_DEAD_LETTER_QUEUE_URL: queue('inbox-parked'),
      DROVER_LEAVING_QUEUE_URL: queue('leaving.fifo'),
      DROVER_HEARTBEATS_QUEUE_URL: queue('heartbeats.fifo'),
      DROVER_JOINING_QUEUE_URL: queue('joining.fifo'),
      DROVER_ETCD_QUEUE_URL: queue('leaving.fifo'),
    },
    clock: { now: () => Date.now(), after: () => ({ cancel: () => {} }) },
    randomBytes: (size) => new Uint8Array(size),
    sendHttp,
    writeLine: () => undefined,
  });
  const context = { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 };
  expect(await intake(readBatchSample('inbox-terminate'), context)).toEqual({ batchItemFailures: [] });
  expect(asked.map(({ headers }) => headers['x-amz-target'] ?? 'Auto Scaling')).toEqual([
    'Auto Scaling',
    'Auto Scaling',
    'Auto Scaling',
    'AmazonSQS.SendMessageBatch',
    'AmazonSQS.SendMessageBatch',
    'AmazonSQS.SendMessageBatch',
  ]);
});
