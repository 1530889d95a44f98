import type { AwsService } from '../service.ts';
import { createSubscriptionOperations } from './subscription-operations.ts';
import { topicOf } from './topic.ts';
import { createTopicOperations } from './topic-operations.ts';
import { type FailedDelivery, publish, type SnsOptions, type SnsWorld } from './world.ts';

/** What the rest of the simulation may do with topics besides calling SNS; topics are named by ARN. */
interface SnsControls {
  /** A service of AWS publishes (Auto Scaling, an alarm). Throws AwsError when there is no such topic. */
  publish(topicArn: string, message: string, subject?: string): void;
  /** The policy as set, or the one that a topic is made with; undefined without such a topic. */
  policy(topicArn: string): string | undefined;
  tags(topicArn: string): Readonly<Record<string, string>> | undefined;
  /** What could not be delivered, oldest first. */
  failures(): readonly FailedDelivery[];
}

export interface SimulatedSns extends AwsService {
  readonly signingName: 'sns';
  readonly operations: ReturnType<typeof createTopicOperations> &
    ReturnType<typeof createSubscriptionOperations>;
  readonly controls: SnsControls;
}

/** The default policy of a topic: it allows callers that act for the topic's own account (SNS developer guide). */
const defaultPolicy = (topicArn: string, accountId: string): string =>
  JSON.stringify({
    Version: '2008-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: ['SNS:Publish', 'SNS:Subscribe', 'SNS:GetTopicAttributes', 'SNS:SetTopicAttributes'],
        Resource: topicArn,
        Condition: { StringEquals: { 'AWS:SourceOwner': accountId } },
      },
    ],
  });

/**
 * Amazon SNS: topics, subscriptions of queues and functions, publishing with SNS's envelope or raw. Left out: FIFO
 * topics, filter policies, other protocols, signatures, and retries of a delivery.
 */
export function createSns(options: SnsOptions): SimulatedSns {
  const world: SnsWorld = { ...options, topics: new Map(), failures: [] };
  return {
    signingName: 'sns',
    operations: { ...createTopicOperations(world), ...createSubscriptionOperations(world) },
    controls: {
      publish: (topicArn, message, subject) => {
        publish(world, topicOf(world.topics, topicArn), { message, subject, attributes: {} });
      },
      policy: (topicArn) => {
        const topic = world.topics.get(topicArn);
        return topic && (topic.attributes.get('Policy') ?? defaultPolicy(topicArn, world.accountId));
      },
      tags: (topicArn) => {
        const topic = world.topics.get(topicArn);
        return topic === undefined ? undefined : Object.fromEntries(topic.tags);
      },
      failures: () => world.failures,
    },
  };
}
