import { createAskSts, partitionOf } from '../aws/ask-sts.ts';
import { endpointOf } from '../aws/client-settings.ts';
import { ec2Client, iamClient, ssmClient } from '../aws/clients.ts';
import { findIdentityInstance } from '../aws/identity-instances.ts';
import { createParameterStore } from '../aws/parameters.ts';
import type { HttpResult } from '../http/http-call.ts';
import { keptWhileAway } from '../identity/kept-while-away.ts';
import type { Mapping } from '../identity/mapping.ts';
import { parseDocuments } from '../identity/parse-documents.ts';
import { readMapping } from '../identity/read-mapping.ts';
import { answerWebhook } from '../identity/webhook.ts';
import { readWebhookSecrets, type WebhookSecrets } from '../identity/webhook-secret.ts';
import { awsConnection } from './aws-connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { FunctionHost } from './host.ts';
import { createHttpHandler } from './http-handler.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog, type Log } from './log.ts';

/** A change of the mapping or of a secret is seen after so long; the API server's own cache comes on top. */
const freshSeconds = 30;
/** Parameter Store may be away for so long. After that nobody gets in, rather than somebody who has been taken out. */
const staleSeconds = 600;

/**
 * The token webhook on a host.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeTokenWebhook(host: FunctionHost): LambdaHandler<unknown, HttpResult> {
  const names = readConfig(host.environment, [
    'region',
    'clusterName',
    'tokenWebhookSecretParameter',
    'identityMappingParameter',
  ]);
  const { clock } = host;
  const connection = awsConnection(host);
  const log = createLog(host, { function: 'token-webhook' });
  // The API server asks again, and what was read before serves meanwhile: retries would take the time that it waits.
  const parameters = createParameterStore(ssmClient({ ...connection, maxAttempts: 1 }));
  const reportError = (message: string, error: unknown): void => log.error(message, error);
  const kept = <Value>(what: string, parameter: string, read: (text: string | undefined) => Value) =>
    keptWhileAway({
      clock,
      freshSeconds,
      staleSeconds,
      read: async () => read((await parameters.read(parameter))?.value),
      onFailure: (error) =>
        reportError(`${what} cannot be read; what was read before serves for ten minutes`, error),
    });
  const context = {
    now: () => clock.now(),
    partition: partitionOf(names.region),
    askSts: createAskSts({
      requestHandler: connection.requestHandler,
      clusterId: names.clusterName,
      endpoint: endpointOf('STS', host.environment),
    }),
    readSecrets: kept(
      'the secret',
      names.tokenWebhookSecretParameter,
      secretsIn(names.tokenWebhookSecretParameter),
    ),
    readMappings: kept('the mapping', names.identityMappingParameter, mappingsIn(log)),
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

/** Without the parameter nobody is mapped. What cannot be read of it is said at each reading. */
const mappingsIn =
  (log: Log) =>
  (text: string | undefined): readonly Mapping[] => {
    if (text === undefined) return [];
    const { documents, problems: unread } = parseDocuments(text);
    const { mapping, problems } = readMapping(documents, 'all');
    for (const problem of [...unread, ...problems])
      log.warn('an entry of the mapping is left out', { problem });
    return [mapping];
  };
