import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';

const base64 = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('base64');

function attributeOf({ DataType = 'String', StringValue, BinaryValue }: MessageAttributeValue) {
  const binaryValue = base64(BinaryValue);
  return {
    dataType: DataType as 'String',
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(binaryValue !== undefined && { binaryValue }),
  };
}

function attributesOf(attributes: Message['MessageAttributes'] = {}): SQSMessageAttributes {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attributeOf(value)]));
}

function recordOf(message: Message, queueArn: string): SQSRecord {
  const attributes = message.Attributes ?? {};
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ...attributes,
      ApproximateReceiveCount: attributes.ApproximateReceiveCount ?? '1',
      SentTimestamp: attributes.SentTimestamp ?? '0',
      SenderId: attributes.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: attributes.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: attributesOf(message.MessageAttributes),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

/** The event that Lambda makes of messages (Lambda developer guide, "Example Amazon SQS message event"). */
export const sqsEvent = (messages: readonly Message[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => recordOf(message, queueArn)),
});

export const traceHeadersOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ Attributes }) => Attributes?.AWSTraceHeader ?? []);
