import { AwsError } from '../service.ts';

export type SubscriptionProtocol = 'sqs' | 'lambda';

export interface Subscription {
  readonly arn: string;
  readonly protocol: SubscriptionProtocol;
  /** The ARN of a queue or a function. */
  readonly endpoint: string;
  readonly attributes: Map<string, string>;
}

export interface Topic {
  readonly arn: string;
  readonly attributes: Map<string, string>;
  readonly tags: Map<string, string>;
  readonly subscriptions: Map<string, Subscription>;
}

export const invalidParameter = (message: string): AwsError =>
  new AwsError({ code: 'InvalidParameter', message: `Invalid parameter: ${message}` });

export const notFound = (what: string): AwsError =>
  new AwsError({ code: 'NotFound', message: `${what} does not exist`, statusCode: 404 });

/** The topic of an ARN. Throws NotFound. */
export function topicOf(topics: ReadonlyMap<string, Topic>, arn: string | undefined): Topic {
  const topic = topics.get(arn ?? '');
  if (topic === undefined) throw notFound('Topic');
  return topic;
}
