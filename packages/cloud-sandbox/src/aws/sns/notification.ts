import type { MessageAttributeValue } from '@aws-sdk/client-sns';
import type { Subscription, Topic } from './topic.ts';

/** What is published, with what SNS adds. */
export interface Publication {
  readonly messageId: string;
  readonly message: string;
  readonly subject: string | undefined;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>>;
  readonly publishedAt: number;
}

const attributesOf = ({ attributes }: Publication): Record<string, unknown> | undefined => {
  const entries = Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => {
    const value = BinaryValue === undefined ? StringValue : Buffer.from(BinaryValue).toString('base64');
    return [name, { Type: DataType, Value: value }] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** The sandbox cannot sign as SNS does. The field gives readers of the envelope its shape. */
const notSigned = Buffer.from('the sandbox signs nothing').toString('base64');

const fieldsOf = (topic: Topic, publication: Publication) => ({
  Type: 'Notification',
  MessageId: publication.messageId,
  TopicArn: topic.arn,
  ...(publication.subject === undefined ? {} : { Subject: publication.subject }),
  Message: publication.message,
  Timestamp: new Date(publication.publishedAt).toISOString(),
  SignatureVersion: '1',
  Signature: notSigned,
});

/** What a subscriber gets: the envelope, the bare message where raw delivery is set, or the event of a Lambda. */
export function notificationFor(topic: Topic, subscription: Subscription, publication: Publication): string {
  if (subscription.attributes.get('RawMessageDelivery') === 'true') return publication.message;
  const fields = fieldsOf(topic, publication);
  const attributes = attributesOf(publication);
  if (subscription.protocol === 'sqs') {
    const host = `https://sns.${topic.arn.split(':')[3]}.amazonaws.com`;
    return JSON.stringify({
      ...fields,
      SigningCertURL: `${host}/SimpleNotificationService.pem`,
      UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${subscription.arn}`,
      MessageAttributes: attributes,
    });
  }
  const sns = { ...fields, Subject: publication.subject ?? null, MessageAttributes: attributes ?? {} };
  const record = {
    EventSource: 'aws:sns',
    EventVersion: '1.0',
    EventSubscriptionArn: subscription.arn,
    Sns: sns,
  };
  return JSON.stringify({ Records: [record] });
}
