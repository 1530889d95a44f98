import type { ChangeMessageVisibilityBatchRequest, SendMessageBatchRequest } from '@aws-sdk/client-sqs';
import type { AwsConnection } from '../connection.ts';
import { jsonApi } from './json-api.ts';
import type { AwsApi } from './service.ts';

/** What is asked of SQS, as in its API reference. */
interface Inputs {
  readonly ChangeMessageVisibilityBatch: ChangeMessageVisibilityBatchRequest;
  readonly SendMessageBatch: SendMessageBatchRequest;
}

const entries = {
  Successful: [{ Id: 'string' }],
  Failed: [{ Id: 'string', Code: 'string', Message: 'string' }],
} as const;

const answers = { ChangeMessageVisibilityBatch: entries, SendMessageBatch: entries } as const;

export type SqsApi = AwsApi<Inputs, typeof answers>;

export const sqsApi = (connection: AwsConnection): SqsApi =>
  jsonApi<Inputs, typeof answers>({
    connection,
    name: 'sqs',
    jsonVersion: '1.0',
    targetPrefix: 'AmazonSQS',
    answers,
  });
