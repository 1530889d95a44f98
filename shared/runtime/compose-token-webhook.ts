import { createAskSts, partitionOf } from '../aws/ask-sts.ts';
import { endpointOf } from '../aws/client-settings.ts';
import { ec2Client, iamClient, ssmClient } from '../aws/clients.ts';
import { findIdentityInstance } from '../aws/identity-instances.ts';
import { createParameterStore } from '../aws/parameters.ts';
import type { HttpResult } from '../http/http-call.ts';
import { answerWebhook } from '../identity/webhook.ts';
import { readWebhookSecrets, type WebhookSecrets } from '../identity/webhook-secret.ts';
import { awsConnection } from './aws-connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { FunctionHost } from './host.ts';
import { createHttpHandler } from './http-handler.ts';
import { identitySources, keptInTime } from './identity-sources.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog } from './log.ts';

/**
 * The token webhook on a host.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeTokenWebhook(host: FunctionHost): LambdaHandler<unknown, HttpResult> {
  const names = readConfig(host.environment, ['region', 'clusterName', 'tokenWebhookSecretParameter']);
  const { clock } = host;
  const connection = awsConnection(host);
  const log = createLog(host, { function: 'token-webhook' });
  // The API server asks again, and what was read before serves meanwhile: retries would take the time that it waits.
  const parameters = createParameterStore(ssmClient({ ...connection, maxAttempts: 1 }));
  const reportError = (message: string, error: unknown): void => log.error(message, error);
  const secrets = secretsIn(names.tokenWebhookSecretParameter);
  const context = {
    clock,
    now: () => clock.now(),
    partition: partitionOf(names.region),
    askSts: createAskSts({
      requestHandler: connection.requestHandler,
      clusterId: names.clusterName,
      endpoint: endpointOf('STS', host.environment),
      trace: host.trace,
    }),
    readSecrets: keptInTime({
      clock,
      log,
      what: 'the secret',
      read: async () => secrets((await parameters.read(names.tokenWebhookSecretParameter))?.value),
    }),
    readMappings: identitySources(host, log),
    findInstance: findIdentityInstance(ec2Client(connection), iamClient(connection)),
    record: (said: Readonly<Record<string, string>>) => log.info('token', { ...said }),
    reportError,
  };
  return createHttpHandler({ answer: (call) => answerWebhook(context, call), log, clock, isQuiet: true });
}

const secretsIn =
  (parameter: string) =>
  (text: string | undefined): WebhookSecrets => {
    const secrets = text === undefined ? undefined : readWebhookSecrets(text);
    if (secrets) return secrets;
    throw new ConfigError([
      `the parameter ${parameter} has to be a SecureString {"current": "..."}, of 32 to 256 letters and digits: see docs/identity.md`,
    ]);
  };
