import { awsOverHttp, withUsualTimeout } from '../aws/aws-over-http.ts';
import type { AwsConnection, AwsCredentials } from '../aws/connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Host } from './host.ts';

/** The parts of a host that reach AWS. */
type AwsHost = Pick<
  Host,
  | 'environment'
  | 'awsCredentials'
  | 'awsRequestHandler'
  | 'awsMaxAttempts'
  | 'sendHttp'
  | 'sendHttpToAws'
  | 'clock'
  | 'trace'
>;

/**
 * How a host reaches AWS: with its own credentials, else with those that Lambda puts into a function's environment.
 *
 * @throws ConfigError where the environment names no region.
 */
export function awsConnection(host: AwsHost): AwsConnection {
  const { environment, clock, awsMaxAttempts = 1 } = host;
  const { region } = readConfig(environment, ['region']);
  const common = {
    region,
    environment,
    clock,
    credentials: host.awsCredentials ?? (() => credentialsIn(host)),
    ...(host.trace && { trace: host.trace }),
  };
  return host.awsRequestHandler
    ? { ...common, requestHandler: withUsualTimeout(host.awsRequestHandler), maxAttempts: awsMaxAttempts }
    : { ...common, requestHandler: awsOverHttp(host.sendHttpToAws ?? host.sendHttp) };
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
