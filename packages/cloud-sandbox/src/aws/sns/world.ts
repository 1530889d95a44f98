import type { Deliver, ServiceParts } from '../integration.ts';
import { AwsError } from '../service.ts';
import { notificationFor, type Publication } from './notification.ts';
import type { Subscription, Topic } from './topic.ts';

/** A delivery that the subscriber refused. SNS only writes it to its delivery log. */
export interface FailedDelivery {
  readonly topicArn: string;
  readonly endpoint: string;
  readonly reason: string;
}

export interface SnsOptions extends ServiceParts {
  readonly deliver: Deliver;
}

export interface SnsWorld extends SnsOptions {
  readonly topics: Map<string, Topic>;
  readonly failures: FailedDelivery[];
}

/** Hands a message to every subscriber, later at the same instant, as SNS answers before it delivers. */
export function publish(
  world: SnsWorld,
  topic: Topic,
  content: Pick<Publication, 'message' | 'subject' | 'attributes'>,
): string {
  const publication = { ...content, messageId: world.random.uuid(), publishedAt: world.clock.now() };
  for (const subscription of topic.subscriptions.values()) {
    world.clock.after(0, () => deliverTo(world, { topic, subscription, publication }));
  }
  return publication.messageId;
}

interface Delivery {
  readonly topic: Topic;
  readonly subscription: Subscription;
  readonly publication: Publication;
}

function deliverTo(world: SnsWorld, { topic, subscription, publication }: Delivery): void {
  const { endpoint } = subscription;
  const fail = (reason: string): void => {
    world.failures.push({ topicArn: topic.arn, endpoint, reason });
  };
  try {
    const sender = { service: 'sns.amazonaws.com', sourceArn: topic.arn };
    world.deliver(endpoint, notificationFor(topic, subscription, publication), { sender });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    fail(`${error.code}: ${error.message}`);
  }
}
