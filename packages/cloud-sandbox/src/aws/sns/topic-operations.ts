import type * as Sns from '@aws-sdk/client-sns';
import { page } from '../paging.ts';
import { invalidParameter, type Topic, topicOf } from './topic.ts';
import { publish, type SnsWorld } from './world.ts';

const pageSize = 100;
const maximumBytes = 262_144;

/** Topics, and publishing to them. */
export const createTopicOperations = (world: SnsWorld) => ({
  CreateTopic: (input: Sns.CreateTopicCommandInput) => ({ TopicArn: createTopic(world, input).arn }),
  DeleteTopic: (input: Sns.DeleteTopicCommandInput) => {
    world.topics.delete(input.TopicArn ?? '');
  },
  ListTopics: (input: Sns.ListTopicsCommandInput) => {
    const arns = [...world.topics.keys()].map((TopicArn) => ({ TopicArn }));
    const { items, nextToken } = page(arns, { nextToken: input.NextToken, size: pageSize, invalidToken });
    return { Topics: items, NextToken: nextToken };
  },
  GetTopicAttributes: (input: Sns.GetTopicAttributesCommandInput) => {
    const topic = topicOf(world.topics, input.TopicArn);
    return {
      Attributes: {
        ...Object.fromEntries(topic.attributes),
        TopicArn: topic.arn,
        Owner: world.accountId,
        SubscriptionsConfirmed: String(topic.subscriptions.size),
      },
    };
  },
  SetTopicAttributes: (input: Sns.SetTopicAttributesCommandInput) => {
    topicOf(world.topics, input.TopicArn).attributes.set(
      input.AttributeName ?? '',
      input.AttributeValue ?? '',
    );
  },
  Publish: (input: Sns.PublishCommandInput) => {
    const topic = topicOf(world.topics, input.TopicArn ?? input.TargetArn);
    const message = input.Message ?? '';
    if (message === '') throw invalidParameter('Empty message');
    if (Buffer.byteLength(message) > maximumBytes) throw invalidParameter('Message too long');
    const content = { message, subject: input.Subject, attributes: input.MessageAttributes ?? {} };
    return { MessageId: publish(world, topic, content) };
  },
});

export const invalidToken = () => invalidParameter('NextToken');

/** CreateTopic: "if the requester already owns a topic with the specified name, that topic's ARN is returned". */
function createTopic(world: SnsWorld, input: Sns.CreateTopicCommandInput): Topic {
  const name = input.Name ?? '';
  if (!/^[\w-]{1,256}$/.test(name)) {
    throw invalidParameter(name.endsWith('.fifo') ? 'This sandbox has no FIFO topics' : 'Topic Name');
  }
  const arn = `arn:aws:sns:${world.region}:${world.accountId}:${name}`;
  const existing = world.topics.get(arn);
  if (existing !== undefined) return existing;
  const topic: Topic = {
    arn,
    attributes: new Map(Object.entries(input.Attributes ?? {})),
    tags: new Map((input.Tags ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''])),
    subscriptions: new Map(),
  };
  world.topics.set(arn, topic);
  return topic;
}
