import type { AwsConnection, AwsCredentials } from '../aws/connection.ts';
import { awsOverHttp } from './aws-over-http.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Host } from './host.ts';

/** What of a host has to do with AWS. */
type AwsHost = Pick<Host, 'environment' | 'awsCredentials' | 'awsRequestHandler' | 'sendHttp' | 'clock'>;

/**
 * How AWS is reached from a host: with its own credentials, else with those that Lambda puts into a function's environment;
 * in the sandbox at the endpoint that stands in AWS_ENDPOINT_URL.
 *
 * @throws ConfigError where the environment names no region.
 */
export function awsConnection(host: AwsHost): AwsConnection {
  const { region } = readConfig(host.environment, ['region']);
  const endpoint = host.environment.AWS_ENDPOINT_URL;
  return {
    region,
    credentials: host.awsCredentials ?? (() => credentialsIn(host)),
    ...(endpoint && { endpoint }),
    requestHandler: host.awsRequestHandler ?? awsOverHttp(host.sendHttp),
    clock: host.clock,
  };
}

function credentialsIn({ environment }: AwsHost): AwsCredentials {
  const accessKeyId = environment.AWS_ACCESS_KEY_ID;
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError([
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: Lambda sets them for a function that has a role',
    ]);
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
