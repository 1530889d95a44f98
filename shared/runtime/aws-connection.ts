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
  | 'onThrottled'
>;

/**
 * How a host reaches AWS: with its own credentials, else with those that Lambda puts into a function's environment.
 *
 * @throws ConfigError where the environment names no region.
 */
export function awsConnection(host: AwsHost): AwsConnection {
  const { environment, clock, awsRequestHandler, awsMaxAttempts } = host;
  const { region } = readConfig(environment, ['region']);
  const common = {
    region,
    environment,
    clock,
    credentials: host.awsCredentials ?? (() => credentialsIn(host)),
    ...(host.trace && { trace: host.trace }),
    ...(host.onThrottled && { onThrottled: host.onThrottled }),
  };
  if (awsRequestHandler)
    return {
      ...common,
      requestHandler: withUsualTimeout(awsRequestHandler),
      // The SDK waits between attempts with timers of its own, which a simulated host has to replace first.
      maxAttempts: awsMaxAttempts ?? 1,
    };
  const requestHandler = awsOverHttp(host.sendHttpToAws ?? host.sendHttp);
  return { ...common, requestHandler, ...(awsMaxAttempts !== undefined && { maxAttempts: awsMaxAttempts }) };
}

/**
 * For calls whose caller decides when to try again: AWS counts a refused call against its limit too.
 *
 * @throws ConfigError where the environment names no region.
 */
export const tryingOnce = (host: AwsHost): AwsConnection => awsConnection({ ...host, awsMaxAttempts: 1 });

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
