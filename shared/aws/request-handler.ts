import type { SQSClientConfig } from '@aws-sdk/client-sqs';

/** What every AWS SDK client takes as `requestHandler`. */
export type AwsRequestHandler = NonNullable<SQSClientConfig['requestHandler']>;
