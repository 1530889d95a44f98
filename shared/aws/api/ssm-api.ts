import type { DeleteParameterRequest, GetParameterRequest, PutParameterRequest } from '@aws-sdk/client-ssm';
import type { AwsConnection } from '../connection.ts';
import { jsonApi } from './json-api.ts';
import type { AwsApi } from './service.ts';

/** What is asked of Parameter Store, as in the API reference of Systems Manager. */
interface Inputs {
  readonly DeleteParameter: DeleteParameterRequest;
  readonly GetParameter: GetParameterRequest;
  readonly PutParameter: PutParameterRequest;
}

const answers = {
  DeleteParameter: {},
  GetParameter: { Parameter: { Value: 'string', Version: 'integer', LastModifiedDate: 'date' } },
  PutParameter: { Version: 'integer' },
} as const;

export type SsmApi = AwsApi<Inputs, typeof answers>;

export const ssmApi = (connection: AwsConnection): SsmApi =>
  jsonApi<Inputs, typeof answers>({
    connection,
    name: 'ssm',
    jsonVersion: '1.1',
    targetPrefix: 'AmazonSSM',
    answers,
  });
