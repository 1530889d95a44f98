import {
  CreateTopicCommand,
  DeleteTopicCommand,
  GetTopicAttributesCommand,
  ListSubscriptionsByTopicCommand,
  ListSubscriptionsCommand,
  ListTopicsCommand,
  PublishCommand,
  SetSubscriptionAttributesCommand,
  SetTopicAttributesCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { AwsError } from '../../../src/aws/service.ts';
import { createSns } from '../../../src/aws/sns/sns.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, region } from '../support/test-front.ts';

const inboxArn = `arn:aws:sqs:${region}:${accountId}:inbox`;
const functionArn = `arn:aws:lambda:${region}:${accountId}:function:intake`;

function world(options: { readonly refuse?: AwsError } = {}) {
  const clock = createManualClock();
  const delivered: Array<{ readonly arn: string; readonly body: string }> = [];
  const sns = createSns({
    clock,
    random: createRandom(1),
    accountId,
    region,
    deliver: (arn, body) => {
      if (options.refuse !== undefined) throw options.refuse;
      delivered.push({ arn, body });
    },
  });
  const client = new SNSClient(createTestFront({ services: [sns], clock }).clientOptions);
  const topic = async () => (await client.send(new CreateTopicCommand({ Name: 'hooks' }))).TopicArn ?? '';
  const subscribe = async (TopicArn: string, Endpoint: string, Attributes: Record<string, string> = {}) => {
    const Protocol = Endpoint.split(':')[2];
    return await client.send(new SubscribeCommand({ TopicArn, Protocol, Endpoint, Attributes }));
  };
  return { clock, client, sns, delivered, topic, subscribe };
}

test('a subscribed queue gets the message in an envelope, at the same simulated time', async () => {
  const { clock, client, delivered, topic, subscribe } = world();
  const TopicArn = await topic();
  await subscribe(TopicArn, inboxArn);
  const Message = JSON.stringify({ LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING' });
  const { MessageId } = await client.send(new PublishCommand({ TopicArn, Message, Subject: 'hook' }));
  expect(delivered).toEqual([]);
  clock.advance(0);
  expect(delivered).toHaveLength(1);
  expect(JSON.parse(delivered[0]?.body ?? '')).toMatchObject({
    Type: 'Notification',
    MessageId,
    TopicArn,
    Subject: 'hook',
    Message,
    Timestamp: new Date(clock.now()).toISOString(),
  });
});

test('raw delivery sends the message without an envelope, and a function gets an event', async () => {
  const { clock, client, delivered, topic, subscribe } = world();
  const TopicArn = await topic();
  await subscribe(TopicArn, inboxArn, { RawMessageDelivery: 'true' });
  await subscribe(TopicArn, functionArn);
  const MessageAttributes = { kind: { DataType: 'String', StringValue: 'x' } };
  await client.send(new PublishCommand({ TopicArn, Message: 'plain', MessageAttributes }));
  clock.advance(0);
  expect(delivered[0]).toEqual({ arn: inboxArn, body: 'plain' });
  expect(JSON.parse(delivered[1]?.body ?? '')).toMatchObject({
    Records: [
      {
        EventSource: 'aws:sns',
        Sns: { Message: 'plain', MessageAttributes: { kind: { Type: 'String', Value: 'x' } } },
      },
    ],
  });
});

test('a refused delivery does not fail Publish, and is recorded', async () => {
  const refuse = new AwsError({ code: 'QueueDoesNotExist', message: 'gone' });
  const { clock, client, sns, topic, subscribe } = world({ refuse });
  const TopicArn = await topic();
  await subscribe(TopicArn, inboxArn);
  await client.send(new PublishCommand({ TopicArn, Message: 'x' }));
  clock.advance(0);
  expect(sns.controls.failures()).toEqual([
    { topicArn: TopicArn, endpoint: inboxArn, reason: 'QueueDoesNotExist: gone' },
  ]);
});

test('a queue whose policy does not allow the topic gets no message', async () => {
  const { clock, sns, delivered, topic, subscribe } = world({
    refuse: new AwsError({ code: 'AccessDenied', message: 'the policy does not let sns.amazonaws.com in' }),
  });
  const topicArn = await topic();
  await subscribe(topicArn, inboxArn);
  sns.controls.publish(topicArn, 'x');
  clock.advance(0);
  expect(delivered).toEqual([]);
  expect(sns.controls.failures()).toHaveLength(1);
});

test('topics and subscriptions are created once, listed and deleted', async () => {
  const { client, topic, subscribe } = world();
  const TopicArn = await topic();
  expect(await topic()).toBe(TopicArn);
  const { SubscriptionArn } = await subscribe(TopicArn, inboxArn);
  expect((await subscribe(TopicArn, inboxArn)).SubscriptionArn).toBe(SubscriptionArn);
  expect((await client.send(new ListTopicsCommand())).Topics).toEqual([{ TopicArn }]);
  const byTopic = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  expect(byTopic.Subscriptions).toMatchObject([{ SubscriptionArn, Protocol: 'sqs', Endpoint: inboxArn }]);
  await client.send(new UnsubscribeCommand({ SubscriptionArn }));
  expect((await client.send(new ListSubscriptionsCommand())).Subscriptions).toEqual([]);
  await client.send(new DeleteTopicCommand({ TopicArn }));
  await expect(client.send(new PublishCommand({ TopicArn, Message: 'x' }))).rejects.toMatchObject({
    name: 'NotFoundException',
  });
});

test('attributes of topics and subscriptions can be changed', async () => {
  const { clock, client, sns, delivered, topic, subscribe } = world();
  const TopicArn = await topic();
  const { SubscriptionArn } = await subscribe(TopicArn, inboxArn);
  await client.send(
    new SetTopicAttributesCommand({ TopicArn, AttributeName: 'DisplayName', AttributeValue: 'Hooks' }),
  );
  const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
  expect(Attributes).toMatchObject({ DisplayName: 'Hooks', SubscriptionsConfirmed: '1' });
  await client.send(
    new SetSubscriptionAttributesCommand({
      SubscriptionArn,
      AttributeName: 'RawMessageDelivery',
      AttributeValue: 'true',
    }),
  );
  sns.controls.publish(TopicArn, 'raw now');
  clock.advance(0);
  expect(delivered).toEqual([{ arn: inboxArn, body: 'raw now' }]);
});

test('an unsupported feature is refused by name', async () => {
  const { client, topic, subscribe } = world();
  const TopicArn = await topic();
  const email = { TopicArn, Protocol: 'email', Endpoint: 'a@example.com' };
  await expect(client.send(new SubscribeCommand(email))).rejects.toThrow('sqs and lambda only, not email');
  await expect(subscribe(TopicArn, inboxArn, { FilterPolicy: '{}' })).rejects.toThrow('FilterPolicy');
  await expect(client.send(new CreateTopicCommand({ Name: 'x.fifo' }))).rejects.toThrow('no FIFO topics');
});
