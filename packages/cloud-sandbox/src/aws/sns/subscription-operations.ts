import type * as Sns from '@aws-sdk/client-sns';
import { page } from '../paging.ts';
import {
  invalidParameter,
  notFound,
  type Subscription,
  type SubscriptionProtocol,
  topicOf,
} from './topic.ts';
import { invalidToken } from './topic-operations.ts';
import type { SnsWorld } from './world.ts';

const pageSize = 100;
const knownAttributes = new Set(['RawMessageDelivery']);

/** Subscriptions of queues and functions, confirmed at once as they are within one account. */
export const createSubscriptionOperations = (world: SnsWorld) => ({
  Subscribe: (input: Sns.SubscribeCommandInput) => ({ SubscriptionArn: subscribe(world, input).arn }),
  Unsubscribe: (input: Sns.UnsubscribeCommandInput) => {
    for (const { subscriptions } of world.topics.values()) subscriptions.delete(input.SubscriptionArn ?? '');
  },
  SetSubscriptionAttributes: (input: Sns.SetSubscriptionAttributesCommandInput) => {
    const arn = input.SubscriptionArn ?? '';
    const found = [...world.topics.values()].flatMap(({ subscriptions }) => subscriptions.get(arn) ?? [])[0];
    if (found === undefined) throw notFound('Subscription');
    checkAttributes({ [input.AttributeName ?? '']: input.AttributeValue ?? '' });
    found.attributes.set(input.AttributeName ?? '', input.AttributeValue ?? '');
  },
  ListSubscriptions: (input: Sns.ListSubscriptionsCommandInput) =>
    list(
      [...world.topics.keys()].flatMap((arn) => describe(world, arn)),
      input.NextToken,
    ),
  ListSubscriptionsByTopic: (input: Sns.ListSubscriptionsByTopicCommandInput) =>
    list(describe(world, input.TopicArn), input.NextToken),
});

function list(found: readonly Sns.Subscription[], token: string | undefined) {
  const { items, nextToken } = page(found, { nextToken: token, size: pageSize, invalidToken });
  return { Subscriptions: items, NextToken: nextToken };
}

const describe = (world: SnsWorld, topicArn: string | undefined): Sns.Subscription[] =>
  [...topicOf(world.topics, topicArn).subscriptions.values()].map(({ arn, protocol, endpoint }) => ({
    SubscriptionArn: arn,
    Owner: world.accountId,
    Protocol: protocol,
    Endpoint: endpoint,
    TopicArn: topicArn,
  }));

function subscribe(world: SnsWorld, input: Sns.SubscribeCommandInput): Subscription {
  const topic = topicOf(world.topics, input.TopicArn);
  const protocol = protocolOf(input);
  const endpoint = input.Endpoint ?? '';
  if (!endpoint.startsWith(`arn:aws:${protocol}:`)) throw invalidParameter(`${protocol} endpoint ARN`);
  checkAttributes(input.Attributes ?? {});
  const existing = [...topic.subscriptions.values()].find((known) => known.endpoint === endpoint);
  if (existing !== undefined) return existing;
  const subscription: Subscription = {
    arn: `${topic.arn}:${world.random.uuid()}`,
    protocol,
    endpoint,
    attributes: new Map(Object.entries(input.Attributes ?? {})),
  };
  topic.subscriptions.set(subscription.arn, subscription);
  return subscription;
}

function protocolOf({ Protocol }: Sns.SubscribeCommandInput): SubscriptionProtocol {
  if (Protocol === 'sqs' || Protocol === 'lambda') return Protocol;
  throw invalidParameter(`This sandbox subscribes sqs and lambda only, not ${Protocol}`);
}

function checkAttributes(attributes: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(attributes).find((name) => !knownAttributes.has(name));
  if (unknown !== undefined)
    throw invalidParameter(`This sandbox does not do the subscription attribute ${unknown}`);
}
