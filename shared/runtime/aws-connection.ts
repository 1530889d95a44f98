import type { AwsConnection, AwsCredentials } from '../aws/client-options.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';

/**
 * How a function reaches AWS: with the credentials that Lambda puts into its environment, and, in the sandbox, at the
 * endpoint that stands in AWS_ENDPOINT_URL.
 */
export function awsConnection(host: Host): AwsConnection {
  const { region } = readConfig(host.environment, ['region']);
  return {
    region,
    credentials: credentialsOf(host),
    endpoint: host.environment.AWS_ENDPOINT_URL,
    requestHandler: host.awsRequestHandler,
  };
}

function credentialsOf({ environment }: Host): AwsCredentials | undefined {
  const accessKeyId = environment.AWS_ACCESS_KEY_ID;
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
